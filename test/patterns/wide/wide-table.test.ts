import { defineEntity, encrypted, encryptionKeys, key } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { wideEntity } from '@rowkey/patterns'
import {
  AmbiguousWriteError,
  BatchError,
  EntityNotFoundError,
  ETagMismatchError,
  exponentialRetry,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { isBatch } from '../employees.ts'
import { FirstHalf, jones, opened, SecondHalf, Stats } from './stats.ts'

describe('wideEntity', () => {
  it('R-156: stores one entity in several rows by one transaction, and reads it as one', async () => {
    const { stats, sent, account } = await opened()
    const entity = await stats.insert({ ...jones, name: 'Jones', day1: 4, day365: 9 })
    expect(entity.unit).toBe('messages')
    expect(sent.map(isBatch)).toEqual([true])
    const rows = await account.table('stats').query().where({ partitionKey: 'Sales' }).toArray()
    expect(rows.map(({ rowKey, properties }) => [rowKey, [...properties.keys()]])).toEqual([
      ['000223_01', ['name', 'day1']],
      ['000223_02', ['unit', 'day365']],
    ])
    const read = await stats.get(jones)
    expect(read).toEqual({ ...jones, name: 'Jones', day1: 4, unit: 'messages', day365: 9 })
    expectTypeOf(read.day365).toEqualTypeOf<number | undefined>()
  })

  it('R-156: saves one slot by a merge of one property', async () => {
    const { stats, sent } = await opened()
    const entity = await stats.insert({ ...jones, day1: 4, day365: 9 })
    sent.length = 0
    entity.day365 = 10
    await stats.save(entity)
    expect(sent).toMatchObject([
      { method: 'PATCH', body: '{"PartitionKey":"Sales","RowKey":"000223_02","day365":10}' },
    ])
    expect((await stats.get(jones)).day365).toBe(10)
  })

  it('sends nothing when nothing changed', async () => {
    const { stats, sent } = await opened()
    const entity = await stats.insert({ ...jones })
    sent.length = 0
    await stats.save(await stats.save(entity))
    expect(sent).toEqual([])
  })

  it('R-156: saves changes of several rows in one transaction', async () => {
    const { stats, sent } = await opened()
    const entity = await stats.insert({ ...jones, day1: 4, day365: 9 })
    entity.day1 = 5
    entity.day365 = undefined
    sent.length = 0
    await stats.save(entity)
    expect(sent.map(isBatch)).toEqual([true])
    expect(await stats.get(jones)).toEqual({ ...jones, day1: 5, unit: 'messages' })
  })

  it('two programs may change different rows, and not the same one', async () => {
    const { stats, rival } = await opened()
    const mine = await stats.insert({ ...jones, day1: 1, day365: 1 })
    const others = Stats.on(rival())
    const theirs = await others.get(jones)
    theirs.day365 = 2
    await others.save(theirs)
    mine.day1 = 2
    await stats.save(mine)
    mine.day365 = 3
    await expect(stats.save(mine)).rejects.toThrow(ETagMismatchError)
    mine.day1 = 4
    await expect(stats.save(mine)).rejects.toThrow(BatchError)
    expect(await stats.get(jones)).toMatchObject({ day1: 2, day365: 2 })
  })

  it.each([
    ['one row', { day1: 2 }],
    ['several rows', { day1: 2, day365: 3 }],
    ['a row that lost a property', { day1: 2, name: undefined }],
  ])('a save of %s that failed can be repeated', async (_, changes) => {
    const { stats, between } = await opened()
    const entity = await stats.insert({ ...jones, name: 'Jones', day1: 1 })
    Object.assign(entity, changes)
    between(
      ({ method }) => method !== 'GET',
      async () => {
        throw new Error('cable cut')
      },
    )
    await expect(stats.save(entity)).rejects.toThrow()
    await stats.save(entity)
    const read = await stats.get(jones)
    expect({ ...read, name: read.name }).toMatchObject(changes)
  })

  it.each([
    ['one row', { day1: 2 }, { day1: 1 }],
    ['several rows', { day1: 2, day365: 3 }, { day1: 1, day365: 1 }],
    ['a row beside one that is sent', { day1: 2 }, { day1: 1, day365: 4 }],
    ['a property that was missing', { name: 'Jones' }, { name: undefined }],
  ])(
    'a save of earlier values is sent after a lost response to a save of %s',
    async (_, changes, earlier) => {
      const { stats, over } = await opened()
      await stats.insert({ ...jones, day1: 1, day365: 1 })
      let lost = false
      const unlucky = over((service) => async (request, limits) => {
        const response = await service(request, limits)
        if (lost || request.method === 'GET') return response
        lost = true
        throw new TransportError({ message: 'cable cut', mayHaveApplied: true })
      })
      const mine = Stats.on(unlucky)
      const read = await mine.get(jones)
      await expect(mine.save(Object.assign(read, changes))).rejects.toThrow(AmbiguousWriteError)
      const conflict = { status: 412 }
      await expect(mine.save(Object.assign(read, earlier))).rejects.toMatchObject(conflict)
      await expect(mine.save(read)).rejects.toMatchObject(conflict)
      expect(await stats.get(jones)).toMatchObject(changes)
    },
  )

  it('modify starts again when another program was in between', async () => {
    const { stats, rival, between } = await opened()
    await stats.insert({ ...jones, day1: 1 })
    between(
      ({ method }) => method === 'PATCH',
      () =>
        Stats.on(rival()).modify(jones, (entity) => {
          entity.day1 = 10
        }),
    )
    const after = await stats.modify(jones, (entity) => {
      entity.day1 = (entity.day1 ?? 0) + 1
    })
    expect(after.day1).toBe(11)
  })

  it('a modify that is repeated with its idempotency key returns what is stored', async () => {
    const { stats } = await opened()
    await stats.insert({ ...jones, day1: 4, day365: 9 })
    const repeat = (day1: number, day365: number) =>
      stats.modify(jones, (each) => void Object.assign(each, { day1, day365 }), {
        idempotencyKey: 'once',
      })
    expect(await repeat(5, 9)).toMatchObject({ day1: 5, day365: 9 })
    const repeated = await repeat(6, 9)
    expect(repeated).toMatchObject({ day1: 5, day365: 9 })
    repeated.day1 = 7
    await stats.save(repeated)
    expect(await stats.get(jones)).toMatchObject({ day1: 7, day365: 9 })
  })

  it('modify ends with an error of the modifier at once, also when it looks like a conflict', async () => {
    const { stats } = await opened()
    await stats.insert({ ...jones, day1: 1 })
    let runs = 0
    const modifying = stats.modify(jones, async () => {
      runs++
      await stats.insert({ ...jones })
    })
    await expect(modifying).rejects.toMatchObject({ code: 'EntityAlreadyExists' })
    expect(runs).toBe(1)
  })

  it('modify of a missing entity is rejected, also when another program inserts it meanwhile', async () => {
    const { stats, rival, between } = await opened()
    const modifying = stats.modify(jones, () => {})
    await expect(modifying).rejects.toThrow(EntityNotFoundError)
    let reads = 0
    between(
      ({ method }) => method === 'GET' && ++reads === 3,
      () => Stats.on(rival()).insert({ ...jones, day1: 1 }),
    )
    await expect(stats.modify(jones, () => {})).rejects.toThrow(EntityNotFoundError)
  })

  it('keeps stored properties that the models do not declare', async () => {
    const { stats, account } = await opened()
    await stats.insert({ ...jones, day1: 1, name: 'Jones' })
    const row = await account.table('stats').get(['Sales', '000223_01'])
    await account.table('stats').merge(row.set('other', 'kept'))
    const entity = await stats.get(jones)
    entity.name = undefined // so that the row is replaced
    await stats.save(entity)
    const after = await account.table('stats').get(['Sales', '000223_01'])
    expect([...after.properties.keys()].sort()).toEqual(['day1', 'other'])
  })

  describe('of a model with versions', () => {
    const text = { department: z.string(), employee: z.int() }
    const place = { name: 'stats', partitionKey: key`${'department'}` }
    const rowKey = key`${'employee:6'}_01`
    const First = defineEntity({
      ...place,
      rowKey,
      schema: z.object({ ...text, name: z.string() }),
      version: 1,
      next: () => Second,
      migrateBack: ({
        fullName,
        ...rest
      }: {
        fullName: string
        department: string
        employee: number
      }) => ({ ...rest, name: fullName }),
    })
    const Second = defineEntity({
      ...place,
      rowKey,
      schema: z.object({ ...text, fullName: z.string() }),
      version: 2,
      previous: First as never,
      migrate: ({ name, ...rest }: { name: string; department: string; employee: number }) => ({
        ...rest,
        fullName: name,
      }),
    })
    const Earlier = wideEntity(First, SecondHalf)
    const Later = wideEntity(Second, SecondHalf)

    it('a save leaves no property of the earlier version behind', async () => {
      const { account } = await opened()
      await Earlier.on(account).insert({ ...jones, name: 'Jones' })
      const rows = account.table('stats')
      await rows.merge(new DynamicEntity('Sales', '000223_01', { theirs: 'x' }), { etag: '*' })
      const later = Later.on(account)
      const entity = await later.get(jones)
      entity.day365 = 2
      await later.save(entity)
      const row = await rows.get(['Sales', '000223_01'])
      expect(
        Object.fromEntries([...row.properties].map(([name, { value }]) => [name, value])),
      ).toEqual({
        fullName: 'Jones',
        theirs: 'x',
        Version: 2,
      })
      entity.fullName = 'Jones-Smith'
      await later.save(entity)
      expect(await later.get(jones)).toMatchObject({ fullName: 'Jones-Smith', day365: 2 })
    })

    it('a save leaves a row of the next version as it is, and another row gets its changes', async () => {
      const { account } = await opened()
      await Later.on(account).insert({ ...jones, fullName: 'Jones' })
      const earlier = Earlier.on(account)
      const entity = await earlier.get(jones)
      expect(entity.name).toBe('Jones')
      entity.day365 = 2
      await earlier.save(entity)
      entity.name = 'Jonas'
      await earlier.save(entity)
      expect(await Later.on(account).get(jones)).toMatchObject({ fullName: 'Jonas', day365: 2 })
      const { properties } = await account.table('stats').get(['Sales', '000223_01'])
      expect(properties.get('Version')?.value).toBe(2)
    })
  })

  it('keeps the times of its models', async () => {
    const { account } = await opened()
    const Timed = defineEntity({
      name: 'stats',
      partitionKey: key`${'department'}`,
      rowKey: key`${'employee:6'}_03`,
      schema: z.object({
        department: z.string(),
        employee: z.int(),
        note: z.string().optional(),
        changedOn: z.date().optional(),
      }),
      updatedAt: 'changedOn',
    })
    const stats = wideEntity(FirstHalf, Timed).on(account)
    const entity = await stats.insert({ ...jones, day1: 1, note: 'a' })
    expect(entity.changedOn).toBeInstanceOf(Date)
    expect((await stats.get(jones)).changedOn).toEqual(entity.changedOn)
  })

  it('sends an encrypted property only when it changed', async () => {
    const { account, sent } = await opened()
    const keys = encryptionKeys({ current: 'k', keys: { k: new Uint8Array(32) } })
    const Secrets = defineEntity({
      name: 'stats',
      partitionKey: key`${'department'}`,
      rowKey: key`${'employee:6'}_05`,
      schema: z.object({ department: z.string(), employee: z.int(), iban: z.string() }),
      columns: { iban: encrypted(keys) },
    })
    const stats = wideEntity(FirstHalf, Secrets).on(account)
    await stats.insert({ ...jones, day1: 1, iban: 'DE00' as never })
    const entity = await stats.get(jones)
    expect(entity.iban).toBe('DE00')
    entity.day1 = 2
    sent.length = 0
    await stats.save(entity)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
  })

  it('sends an array that was changed in place', async () => {
    const { account, sent } = await opened()
    const Tagged = defineEntity({
      name: 'stats',
      partitionKey: key`${'department'}`,
      rowKey: key`${'employee:6'}_04`,
      schema: z.object({
        department: z.string(),
        employee: z.int(),
        tags: z.array(z.string()),
      }),
    })
    const stats = wideEntity(FirstHalf, Tagged).on(account)
    const entity = await stats.insert({ ...jones, day1: 1, tags: ['a'] })
    entity.tags.push('b')
    sent.length = 0
    await stats.save(entity)
    expect(sent).toHaveLength(1)
    expect((await stats.get(jones)).tags).toEqual(['a', 'b'])
  })

  it('stores a missing row with the next save that needs it', async () => {
    const { stats, account } = await opened()
    await account.table(FirstHalf).insert({ ...jones, day1: 1 })
    const entity = await stats.get(jones)
    expect(entity).toEqual({ ...jones, day1: 1 })
    entity.day365 = 3
    await stats.save(entity)
    expect((await stats.get(jones)).day365).toBe(3)
  })

  it('leaves a modify in doubt when its request is lost and another program adds an equal row', async () => {
    const { account, stats, over } = await opened()
    await account.table(FirstHalf).insert({ ...jones, name: 'Jones' }) // older than the second model
    const count = (entity: { day365?: number | undefined }) => {
      entity.day365 = (entity.day365 ?? 0) + 1
    }
    let isLost = false
    const losing = over((service) => async (request, limits) => {
      if (isLost || !isBatch(request)) return service(request, limits)
      isLost = true
      await stats.modify(jones, count)
      throw new TransportError({ message: 'The request was lost.', mayHaveApplied: true })
    })
    const modifying = Stats.on(losing).modify(jones, count, { retry: exponentialRetry() })
    await expect(modifying).rejects.toThrow(AmbiguousWriteError)
    expect((await stats.get(jones)).day365).toBe(1)
  })

  it('reads again when it met the middle of a write', async () => {
    const { stats, rival, between, sent } = await opened()
    between(
      ({ path }) => path.includes('_02'),
      () => Stats.on(rival()).insert({ ...jones, day1: 1, day365: 2 }),
    )
    expect(await stats.find(jones)).toMatchObject({ day1: 1, day365: 2 })
    expect(sent).toHaveLength(4)
  })

  it('a delete is rejected when another program has added a row since', async () => {
    const { stats, rival, account } = await opened()
    await account.table(FirstHalf).insert({ ...jones, day1: 1 })
    const entity = await stats.get(jones)
    const others = Stats.on(rival())
    await others.save(Object.assign(await others.get(jones), { day365: 3 }))
    await expect(stats.delete(entity)).rejects.toMatchObject({ status: 412 })
    expect((await stats.get(jones)).day365).toBe(3)
  })

  it('rejects a save after the key has changed, and stores nothing', async () => {
    const { stats } = await opened()
    const entity = await stats.insert({ ...jones, day1: 1 })
    entity.employee = 224
    await expect(stats.save(entity)).rejects.toMatchObject({ code: 'ChangedKey' })
    entity.employee = 223
    entity.department = 'Marketing'
    await expect(stats.save(entity)).rejects.toMatchObject({ code: 'ChangedKey' })
    expect((await stats.get(jones)).day1).toBe(1)
  })

  it('deletes all rows together', async () => {
    const { stats, account } = await opened()
    const entity = await stats.insert({ ...jones, day1: 1 })
    await stats.delete(entity)
    expect(await stats.find(jones)).toBeUndefined()
    await expect(stats.get(jones)).rejects.toThrow(EntityNotFoundError)
    await expect(stats.get(jones)).rejects.toMatchObject({ status: 404, code: 'ResourceNotFound' })
    expect(await account.table('stats').query().allowTableScan().count()).toBe(0)
  })

  it('rejects an insert of an entity that exists, and stores nothing', async () => {
    const { stats } = await opened()
    await stats.insert({ ...jones, day1: 1 })
    await expect(stats.insert({ ...jones, day1: 2 })).rejects.toMatchObject({
      code: 'EntityAlreadyExists',
    })
    expect((await stats.get(jones)).day1).toBe(1)
  })

  it('rejects an object that it does not know', async () => {
    const { stats } = await opened()
    const copy = { ...(await stats.insert({ ...jones })) }
    await expect(stats.save(copy)).rejects.toMatchObject({ code: 'UnknownPatternObject' })
  })
})
