import { defineEntity, Entity, key, PartitionKey, RowKey } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { EntityNotFoundError, TableNotFoundError } from '@rowkey/rest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { snapshotOf } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { invalidKey } from '../../support/rejections.ts'
import { Customer, customer } from '../customer.ts'
import { freshAccount, freshTable } from '../fresh-account.ts'
import { plain } from '../plain-snapshot.ts'

describe('a table that is read', () => {
  it('returns some properties of one entity', async () => {
    const { table, sent } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Jeff', { age: 39, rating: 4 }))
    const jeff = await table.get(['Smith', 'Jeff'], { select: ['rating'] })
    expect(jeff.rating).toBe(4)
    expect((jeff as Customer).age).toBeUndefined()
    expect(sent.at(-1)?.query).toBe('$select=PartitionKey%2CRowKey%2CTimestamp%2Crating')
  })

  it('merges a partial entity, and never replaces the whole with it', async () => {
    const { table } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Jeff', { age: 39, rating: 4 }))
    const jeff = await table.get(['Smith', 'Jeff'], { select: ['rating'] })
    jeff.rating = 5
    await expect(table.replace(jeff as Customer)).rejects.toThrow(
      expect.objectContaining({ name: 'InputError', code: 'ProjectedEntity' }),
    )
    await table.merge(jeff)
    expect(await table.get(['Smith', 'Jeff'])).toMatchObject({ age: 39, rating: 5 })
  })

  it('finds a part of an entity, or nothing', async () => {
    const { table } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Jeff', { age: 39 }))
    expect((await table.find(['Smith', 'Jeff'], { select: ['age'] }))?.age).toBe(39)
    expect(await table.find(['Smith', 'Zoe'], { select: ['age'] })).toBeUndefined()
    await expect(table.get(['Smith', 'Zoe'], { select: ['age'] })).rejects.toThrow(
      EntityNotFoundError,
    )
  })

  it('returns a part of a dynamic entity', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    await people.insert(new DynamicEntity('Smith', 'Jeff', { points: 5n, rating: 2.5 }))
    const jeff = await people.get(['Smith', 'Jeff'], { select: ['points'] })
    expect([...jeff.properties.keys()]).toEqual(['points'])
    expect(jeff.rowKey).toBe('Jeff')
  })

  it('returns whether an entity exists, and reads only its key', async () => {
    const { table, sent } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Jeff', { age: 39 }))
    expect(await table.exists(['Smith', 'Jeff'])).toBe(true)
    expect(sent.at(-1)?.query).toBe('$select=PartitionKey%2CRowKey')
    expect(await table.exists({ lastName: 'Smith', firstName: 'Ann' }, { timeout: 1_000 })).toBe(
      false,
    )
  })

  it('returns whether an entity exists whose members are accessors', async () => {
    @Entity('teams')
    class Team {
      #sport = ''
      #name = ''

      @PartitionKey() get sport(): string {
        return this.#sport
      }
      set sport(sport: string) {
        this.#sport = sport
      }

      @RowKey() get name(): string {
        return this.#name
      }
      set name(name: string) {
        this.#name = name
      }
    }
    const { table } = await freshTable(Team)
    const team = new Team()
    expect(await table.exists(team)).toBe(false)
    await table.insert(team)
    expect(await table.exists(team)).toBe(true)
  })

  it('takes names that make up the key for a key, and not for options', async () => {
    const Once = defineEntity({
      name: 'onces',
      partitionKey: key`${'idempotencyKey'}`,
      rowKey: key`once`,
      schema: z.object({ idempotencyKey: z.string() }),
    })
    const onces = freshAccount().account.table(Once)
    await onces.create()
    expect(await onces.exists({ idempotencyKey: 'a' })).toBe(false)
    await onces.insert({ idempotencyKey: 'a' })
    expect(await onces.exists({ idempotencyKey: 'a' })).toBe(true)
    expect(await onces.exists({ timeout: 1_000 })).toBe(true)
  })

  it('returns whether the table exists when called without a key', async () => {
    const people = freshAccount().account.table('people')
    expect(await people.exists({ timeout: 1_000 })).toBe(false)
    await expect(people.exists(null as never)).rejects.toMatchObject({ code: 'InvalidEntityKey' })
    await people.create()
    expect(await people.exists()).toBe(true)
  })

  it('shares a signal between any number of reads without a warning', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    onTestFinished(() => void process.off('warning', warn))
    const { table } = await freshTable(Customer)
    const { signal } = new AbortController()
    const reads = Array.from({ length: 20 }, () => table.find(['Smith', 'Jeff'], { signal }))
    await Promise.all(reads)
    await new Promise((resolve) => setImmediate(resolve))
    expect(warnings).toEqual([])
  })

  it('rejects a property that is not stored, no property at all, and unknown options', async () => {
    const { table, sent } = await freshTable(Customer)
    for (const select of [['nothing'], []] as unknown as ['age'][]) {
      await expect(table.get(['Smith', 'Jeff'], { select })).rejects.toMatchObject({
        code: 'InvalidQuery',
      })
    }
    const options = { selected: ['age'] } as object
    await expect(table.get(['Smith', 'Jeff'], options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(table.find(['Smith', 'Jeff'], options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(sent).toEqual([])
  })
})

describe('getMany', () => {
  it('R-168: reads several entities in the order of their keys, undefined for a missing one', async () => {
    const { table, sent } = await freshTable(Customer)
    for (const name of ['Ann', 'Ben']) await table.insert(customer('Smith', name))
    sent.length = 0
    const found = await table.getMany([
      ['Smith', 'Ben'],
      ['Smith', 'Zoe'],
      { partitionKey: 'Smith', rowKey: 'Ann' },
      { lastName: 'Smith', firstName: 'Ben' },
    ])
    expect(found.map((one) => one?.firstName)).toEqual(['Ben', undefined, 'Ann', 'Ben'])
    expect(found[0]).toBeInstanceOf(Customer)
    expect(found[0]?.etag).toMatch(/^W\//)
  })

  it('asks once for equal keys, and returns an entity of its own for each', async () => {
    const { table, sent } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Ben', { age: 5 }))
    sent.length = 0
    const [first, missing, second] = await table.getMany([
      ['Smith', 'Ben'],
      ['Smith', 'Zoe'],
      { lastName: 'Smith', firstName: 'Ben' },
    ])
    expect(sent).toHaveLength(2)
    expect(missing).toBeUndefined()
    first!.age = 6
    expect(second?.age).toBe(5)
    await table.merge(first!)
    await expect(table.merge(second!, { etag: second!.etag })).resolves.toBe(second)
  })

  it('sends nothing for no keys', async () => {
    const { table, sent } = await freshTable(Customer)
    expect(await table.getMany([])).toEqual([])
    expect(sent).toEqual([])
  })

  it('shares one deadline and one signal between all reads', async () => {
    const { table, service, sent } = await freshTable(Customer)
    const keys = [['Smith', 'Ann']] as const
    const late = { deadline: { endsAt: service.now() } }
    await expect(table.getMany(keys, late)).rejects.toMatchObject({ code: 'DeadlineExceeded' })
    const signal = AbortSignal.abort()
    await expect(table.getMany(keys, { signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(sent).toEqual([])
  })

  it('says when the table is missing', async () => {
    const { account } = freshAccount()
    const keys = [['Smith', 'Ann']] as const
    await expect(account.table(Customer).getMany(keys)).rejects.toThrow(TableNotFoundError)
  })

  it('rejects invalid keys, options and numbers, and sends nothing', async () => {
    const { table, sent } = await freshTable(Customer)
    await expect(table.getMany([['Smith', 'a/b']])).rejects.toThrow(invalidKey)
    await expect(table.getMany([['Smith', 'Ann']], { concurrency: 0 })).rejects.toMatchObject({
      code: 'InvalidQuery',
    })
    const misspelt = { concurency: 2 } as object
    await expect(table.getMany([['Smith', 'Ann']], misspelt)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(sent).toEqual([])
  })
})

describe('a read that is resolved', () => {
  it('R-97: returns the result of the resolver', async () => {
    const { table } = await freshTable(Customer)
    const { etag } = await table.insert(customer('Smith', 'Jeff', { points: 5n }))
    const parts = await table.get(['Smith', 'Jeff'], {
      resolve: (partitionKey, rowKey, timestamp, properties, tag) => ({
        key: [partitionKey, rowKey],
        timestamp,
        points: properties.get('points')?.as('Int64'),
        tag,
      }),
    })
    expect(parts).toEqual({
      key: ['Smith', 'Jeff'],
      timestamp: expect.any(Date),
      points: 5n,
      tag: etag,
    })
  })

  it('reads only selected properties, and returns null', async () => {
    const { table, sent } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Jeff', { points: 5n, rating: 4 }))
    const names = await table.find(['Smith', 'Jeff'], {
      select: ['rating'],
      resolve: (_p, _r, _t, properties) => [...properties.keys()],
    })
    expect(names).toEqual(['rating'])
    expect(sent.at(-1)?.query).toContain('rating')
    expect(await table.find(['Smith', 'Jeff'], { resolve: () => null })).toBeNull()
    expect(await table.find(['Smith', 'Zoe'], { resolve: () => 1 })).toBeUndefined()
  })

  it('R-97: names the row on which the resolver throws', async () => {
    const { table } = await freshTable(Customer)
    await table.insert(customer('Smith', 'Jeff'))
    const resolve = () => {
      throw new RangeError('unknown type')
    }
    await expect(table.get(['Smith', 'Jeff'], { resolve })).rejects.toMatchObject({
      code: 'ResolverFailed',
      details: { table: 'customers', partitionKey: 'Smith', rowKey: 'Jeff' },
    })
  })

  it('rejects anything but a function before a request is sent', async () => {
    const { table, sent } = await freshTable(Customer)
    const read = table.get(['Smith', 'Jeff'], { resolve: 'points' as never })
    await expect(read).rejects.toThrow(/resolve of get of table customers must be a function/)
    expect(sent).toEqual([])
  })
})

describe('point reads', () => {
  it('let an entity know its row, and whether only a part was read', async () => {
    const { account, sent } = freshAccount()
    const people = account.table('people')
    await people.create()
    await people.insert(new DynamicEntity('Smith', 'Jeff', { age: 39 }))
    const whole = await people.get(['Smith', 'Jeff'])
    const part = await people.get(['Smith', 'Jeff'], { select: ['age'] })
    expect(sent.at(-1)?.query).toBe('$select=PartitionKey%2CRowKey%2CTimestamp%2Cage')
    for (const entity of [whole, part]) {
      expect(entity.get('age')?.as('Int32')).toBe(39)
      expect(plain(snapshotOf(entity))).toMatchObject({ row: { age: 39 }, etag: whole.etag })
    }
    expect([whole, part].map((entity) => snapshotOf(entity)?.partial)).toEqual([false, true])
  })
})
