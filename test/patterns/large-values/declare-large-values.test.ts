import { localTableService } from '@rowkey/local'
import { Account, defineEntity, key, ModelError, upgradeTable } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { blobStore, chunkStore, declareLargeValues, type LargeValueStore } from '@rowkey/patterns'
import {
  ETagMismatchError,
  noRetry,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { office } from '../employees.ts'
import { mortal } from '../mortal-programs.ts'
import { blobContainer } from './blob-container.ts'

/** The employees of one program. A model of its own, because large values are declared on models. */
function program(store: LargeValueStore) {
  const Employee = defineEntity({
    name: 'staff',
    partitionKey: key`${'department'}`,
    rowKey: key`${'id'}`,
    schema: z.object({
      department: z.string(),
      id: z.string(),
      title: z.string().optional(),
      photo: z.string().optional(),
    }),
    storeAs: { photo: 'PhotoUrl' },
  })
  const photos = declareLargeValues(Employee, {
    property: 'photo',
    store: () => store,
  })
  return { Employee, photos }
}

const jones = { department: 'Sales', id: '223' }
const photo = (text: string) => new TextEncoder().encode(text)
const shown = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)

async function opened() {
  const all = office()
  const store = blobStore(blobContainer(() => all.now))
  const { Employee, photos } = program(store)
  const employees = all.account.table(Employee)
  await employees.create()
  all.sent.length = 0
  return { ...all, clock: all, store, employees, photos: photos.on(all.account), Employee }
}

async function addressesOf(store: LargeValueStore): Promise<string[]> {
  const found: string[] = []
  for await (const { address } of store.list('')) found.push(address)
  return found
}

describe('declareLargeValues', () => {
  it('R-157: keeps the value outside, and its address in the row', async () => {
    const { employees, photos, account, store } = await opened()
    const entity = { ...jones }
    await photos.stage(entity, photo('portrait'))
    await employees.insert(entity)
    expect(shown(await photos.load(await employees.get(jones)))).toBe('portrait')
    const row = await account.table('staff').get(['Sales', '223'])
    expect(row.get('PhotoUrl')?.value).toBe('devstoreaccount1/staff/Sales/223/PhotoUrl/id00000002')
    expect(await addressesOf(store)).toEqual([
      'devstoreaccount1/staff/Sales/223/PhotoUrl/id00000002',
    ])
  })

  it('sweep deletes the values of a dropped table', async () => {
    const { employees, photos, store } = await opened()
    const entity = { ...jones }
    await photos.stage(entity, photo('portrait'))
    await employees.insert(entity)
    await employees.drop()
    expect(await photos.sweep({ olderThan: 0 })).toEqual({ checked: 1, deleted: 1 })
    expect(await addressesOf(store)).toEqual([])
  })

  it('rejects copyTo into a table of the model, and allows a backup', async () => {
    const { employees, photos, account, Employee } = await opened()
    const entity = { ...jones }
    await photos.stage(entity, photo('portrait'))
    await employees.insert(entity)
    await account.createTable('other')
    const other = account.table(Employee, 'other')
    const copy = async () => employees.copyTo(other)
    await expect(copy()).rejects.toMatchObject({
      code: 'InvalidOptionValue',
      message: expect.stringMatching(/staff\.photo, .* save it in the new row; .* a backup/),
    })
    expect((await employees.copyTo(account.table('other'))).done).toBe(1)
  })

  it('R-157: save stores the value, then the row, and deletes the value before', async () => {
    const { employees, photos, store, sent } = await opened()
    const entity = await employees.insert({ ...jones })
    await photos.save(entity, photo('one'))
    sent.length = 0
    await photos.save(entity, photo('two'))
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
    expect(shown(await photos.load(entity))).toBe('two')
    expect(await addressesOf(store)).toEqual([
      'devstoreaccount1/staff/Sales/223/PhotoUrl/id00000005',
    ])
  })

  it('a save that is rejected leaves row, entity and value as they were', async () => {
    const { employees, photos, rival, Employee } = await opened()
    const entity = await employees.insert({ ...jones })
    await photos.save(entity, photo('one'))
    await rival()
      .table(Employee)
      .modify(jones, (each) => {
        each.title = 'Manager'
      })
    await expect(photos.save(entity, photo('two'))).rejects.toThrow(ETagMismatchError)
    expect(shown(await photos.load(entity))).toBe('one')
  })

  it('a save that is repeated with its idempotencyKey keeps the value that the row refers to', async () => {
    const { employees, photos, store } = await opened()
    const entity = await employees.insert({ ...jones })
    await photos.save(entity, photo('one'), { idempotencyKey: 'portrait' })
    const repeated = await employees.get(jones)
    await photos.save(repeated, photo('again'), { idempotencyKey: 'portrait' })
    expect(shown(await photos.load(repeated))).toBe('one')
    expect(shown(await photos.load(await employees.get(jones)))).toBe('one')
    expect(await addressesOf(store)).toHaveLength(1)
    await photos.save(await employees.get(jones), photo('two'), { idempotencyKey: 'portrait-2' })
    expect(shown(await photos.load(await employees.get(jones)))).toBe('two')
    expect(await addressesOf(store)).toHaveLength(1)
  })

  it('a save keeps the value of another row whose address the entity had', async () => {
    const { employees, photos } = await opened()
    const one = await photos.save(await employees.insert({ ...jones }), photo('one'))
    const other = await employees.insert({ ...jones, id: '224' })
    other.photo = one.photo
    await photos.save(other, photo('other'))
    expect(shown(await photos.load(other))).toBe('other')
    expect(shown(await photos.load(await employees.get(jones)))).toBe('one')
  })

  it('a save succeeds when the value before cannot be deleted, and sweep deletes it', async () => {
    const all = office()
    const inner = blobStore(blobContainer(() => all.now))
    let isAway = true
    const store: LargeValueStore = {
      ...inner,
      delete: async (address) => {
        if (isAway) throw new RangeError('the store is away')
        await inner.delete(address)
      },
    }
    const { Employee, photos } = program(store)
    const [employees, values] = [all.account.table(Employee), photos.on(all.account)]
    await employees.create()
    const entity = await employees.insert({ ...jones })
    await values.save(entity, photo('first'))
    await values.save(entity, photo('second'))
    expect(shown(await values.load(await employees.get(jones)))).toBe('second')
    isAway = false
    expect(await values.sweep({ olderThan: 0 })).toEqual({ checked: 2, deleted: 1 })
    expect(await addressesOf(inner)).toEqual([entity.photo])
  })

  it.each<readonly [string, () => unknown]>([
    ['returns no promise', () => undefined],
    [
      'throws at once',
      () => {
        throw new RangeError('the store is away')
      },
    ],
  ])('a save succeeds with a store whose delete %s', async (_what, remove) => {
    const { account, now } = office()
    const inner = blobStore(blobContainer(() => now))
    const { Employee, photos } = program({ ...inner, delete: remove as LargeValueStore['delete'] })
    const [employees, values] = [account.table(Employee), photos.on(account)]
    await employees.create()
    const entity = await employees.insert({ ...jones })
    await values.save(entity, photo('first'))
    await values.save(entity, photo('second'))
    expect(shown(await values.load(await employees.get(jones)))).toBe('second')
  })

  it('an aborted signal ends the calls of the store, too', async () => {
    const { account, sent } = office()
    const { Employee, photos } = program(chunkStore(account, { table: 'chunks' }))
    await account.createTable('chunks')
    const [employees, values] = [account.table(Employee), photos.on(account)]
    await employees.create()
    const entity = await employees.insert({ ...jones })
    await values.save(entity, photo('portrait'))
    sent.length = 0
    const signal = AbortSignal.abort()
    const aborted = { name: 'AbortError' }
    await expect(values.save(entity, photo('other'), { signal })).rejects.toMatchObject(aborted)
    await expect(values.load(entity, { signal })).rejects.toMatchObject(aborted)
    await expect(values.sweep({ signal })).rejects.toMatchObject(aborted)
    expect(sent).toEqual([])
    expect(shown(await values.load(entity))).toBe('portrait')
  })

  it('a save whose value is in doubt says that the row was not written', async () => {
    const { account, over } = office()
    const losing = over((service) => async (request, limits) => {
      const response = await service(request, limits)
      if (!request.path.endsWith('chunks')) return response
      throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
    })
    const { Employee, photos } = program(chunkStore(losing, { table: 'chunks' }))
    await account.createTable('chunks')
    const employees = account.table(Employee)
    await employees.create()
    const entity = await employees.insert({ ...jones })
    const saving = photos.on(losing).save(entity, photo('portrait'))
    await expect(saving).rejects.toMatchObject({
      name: 'TransportError',
      mayHaveApplied: false,
      cause: { name: 'AmbiguousWriteError' },
    })
    expect(entity.photo).toBeUndefined()
    expect((await employees.get(jones)).photo).toBeUndefined()
  })

  it('load returns the value of the row, however often it is replaced meanwhile', async () => {
    const all = office()
    const inner = blobStore(blobContainer(() => all.now))
    let replacements = 3
    const store: LargeValueStore = {
      ...inner,
      get: async (address) => {
        if (replacements-- > 0) {
          const read = await employees.get(jones)
          await values.save(read, photo(`after ${replacements}`))
        }
        return inner.get(address)
      },
    }
    const { Employee, photos } = program(store)
    const [employees, values] = [all.account.table(Employee), photos.on(all.account)]
    await employees.create()
    const entity = await employees.insert({ ...jones })
    await values.save(entity, photo('first'))
    expect(shown(await values.load(entity))).toBe('after 0')
  })

  it('load returns the new value when another program replaced it', async () => {
    const { employees, photos } = await opened()
    const mine = await employees.insert({ ...jones })
    await photos.save(mine, photo('one'))
    await photos.save(await employees.get(jones), photo('two'))
    expect(shown(await photos.load(mine))).toBe('two')
    await employees.delete(jones, { etag: '*' })
    await photos.sweep({ olderThan: 0 })
    expect(await photos.load(mine)).toBeUndefined()
    expect(await photos.load({ ...jones })).toBeUndefined()
  })

  it('load tells when the store has lost the value', async () => {
    const { employees, photos, store } = await opened()
    const entity = await employees.insert({ ...jones })
    await photos.save(entity, photo('one'))
    for (const address of await addressesOf(store)) await store.delete(address)
    await expect(photos.load(entity)).rejects.toMatchObject({ code: 'LargeValueMissing' })
  })

  it.each(['single', 'batch', 'bulk'] as const)(
    'R-157: a %s write cannot refer to a missing value, or to one of another row',
    async (way) => {
      const { employees, photos, account } = await opened()
      const other: { department: string; id: string; photo?: string } = { ...jones, id: '224' }
      await photos.stage(other, photo('other'))
      const addresses = [other.photo, 'devstoreaccount1/staff/Sales/223/PhotoUrl/gone', 'anything']
      for (const address of addresses) {
        const entity = { ...jones, photo: address }
        const writing = {
          single: () => employees.insert(entity),
          batch: () => employees.batch().insert(entity).submit(),
          bulk: async () => employees.bulk().insert([entity]),
        }[way]
        await expect(writing()).rejects.toThrow(/refers to/)
      }
      expect(await account.table('staff').query().allowTableScan().count()).toBe(0)
    },
  )

  it('a write that does not change the address costs nothing more', async () => {
    const { employees, photos, sent } = await opened()
    const entity = await employees.insert({ ...jones })
    await photos.save(entity, photo('one'))
    sent.length = 0
    entity.title = 'Manager'
    await employees.merge(entity)
    expect(sent.map(({ method }) => method)).toEqual(['PATCH'])
  })

  it('R-157: sweep deletes what no row refers to, and leaves what may still wait for its row', async () => {
    const { employees, photos, store, clock } = await opened()
    const entity = await employees.insert({ ...jones })
    await photos.save(entity, photo('kept'))
    await store.put('devstoreaccount1/staff/Sales/223/Other/x', photo('of another property'))
    await store.put('devstoreaccount1/elsewhere/Sales/223/PhotoUrl/x', photo('of another table'))
    await photos.stage({ ...jones, id: '1' }, photo('orphan'))
    clock.now += 3_600_000
    await photos.stage({ ...jones, id: '2' }, photo('waiting'))
    expect(await photos.sweep()).toEqual({ checked: 3, deleted: 1 })
    expect(await addressesOf(store)).toEqual([
      'devstoreaccount1/staff/Sales/223/PhotoUrl/id00000003',
      'devstoreaccount1/staff/Sales/223/Other/x',
      'devstoreaccount1/elsewhere/Sales/223/PhotoUrl/x',
      'devstoreaccount1/staff/Sales/2/PhotoUrl/id00000006',
    ])
  })

  it.each(['before', 'after'] as const)(
    'R-157, R-148: whichever step a program dies %s, the row has a value, and sweep leaves no other',
    async (dies) => {
      let deaths = 0
      for (let at = 1; at < 30; at++) {
        const { transport, connectionString } = localTableService()
        const open = (through: Transport) =>
          new Account(
            tableService({
              connectionString: connectionString(),
              transport: through,
              retry: noRetry,
            }),
          )
        const store = blobStore(blobContainer(Date.now))
        const healthy = program(store)
        const employees = open(transport).table(healthy.Employee)
        await employees.create()
        await employees.insert({ ...jones })
        await healthy.photos.on(open(transport)).save(await employees.get(jones), photo('one'))

        const { step, hasDied } = mortal(at, dies)
        const dying = open((request, limits) => step(() => transport(request, limits)))
        const dyingStore: LargeValueStore = {
          put: (address, bytes) => step(() => store.put(address, bytes)),
          get: (address) => step(() => store.get(address)),
          has: (address) => step(() => store.has(address)),
          delete: (address) => step(() => store.delete(address)),
          list: store.list,
        }
        const { Employee, photos } = program(dyingStore)
        const replace = async () => {
          const entity = await dying.table(Employee).get(jones)
          await photos.on(dying).save(entity, photo('two'))
        }
        const isDone = await replace().then(
          () => true,
          () => false,
        )
        const swept = healthy.photos.on(open(transport))
        const value = shown(await swept.load(await employees.get(jones)))
        expect(isDone ? ['two'] : ['one', 'two']).toContain(value)
        await swept.sweep({ olderThan: 0 })
        expect(await addressesOf(store)).toEqual([(await employees.get(jones)).photo])
        if (!hasDied()) break
        deaths++
      }
      // A read, the value, the check that it is there, the row, and the old value.
      expect(deaths).toBeGreaterThanOrEqual(5)
    },
  )

  it('keeps the values of a property that a new version stores under another name', async () => {
    const { account, Employee, employees, photos, store, clock } = await opened()
    const Employee2 = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`${'id'}`,
      schema: z.object({
        department: z.string(),
        id: z.string(),
        portrait: z.string().optional(),
      }),
      version: 2,
      previous: Employee,
      migrate: ({ department, id, photo: portrait }) => ({ department, id, portrait }),
    })
    const values = declareLargeValues(Employee2, { property: 'portrait', store: () => store })
    const portraits = values.on(account)
    const later = account.table(Employee2)
    await photos.save(await employees.insert({ ...jones }), photo('one'))
    await photos.save(await employees.insert({ ...jones, id: '7' }), photo('other'))

    const migrated = await later.get(jones)
    expect(shown(await portraits.load(migrated))).toBe('one')
    await later.merge(migrated)
    clock.now += 3_600_001
    // A program of the earlier version may still sweep.
    expect(await photos.sweep()).toEqual({ checked: 2, deleted: 0 })
    expect(await portraits.sweep()).toEqual({ checked: 2, deleted: 0 })
    expect((await upgradeTable(later)).upgraded).toBe(1)
    expect(shown(await portraits.load(await later.get(jones)))).toBe('one')

    await portraits.save(migrated, photo('two'))
    clock.now += 3_600_001
    expect(await portraits.sweep()).toEqual({ checked: 3, deleted: 1 })
    expect(shown(await portraits.load(await later.get({ ...jones, id: '7' })))).toBe('other')
    // Another row never gets the value.
    const { portrait = '' } = await later.get(jones)
    const seven = account.table('staff')
    await seven.merge(new DynamicEntity('Sales', '7', { other: portrait }), { etag: '*' })
    const moved = { ...jones, id: '7', portrait }
    await expect(later.replace(moved, { etag: '*' })).rejects.toMatchObject({
      code: 'InvalidLargeValue',
    })
  })

  it('each account has its own store and its own values, also for the check of a write', async () => {
    const [one, two] = [office(), office()]
    const Employee = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ department: z.string(), id: z.string(), photo: z.string().optional() }),
    })
    const made: Account[] = []
    const photos = declareLargeValues(Employee, {
      property: 'photo',
      store: (account) => {
        made.push(account)
        return chunkStore(account, { table: 'chunks' })
      },
    })
    const rowsIn = ({ account }: typeof one) =>
      account.table('chunks').query().allowTableScan().count()
    for (const { account } of [one, two]) {
      await account.createTable('chunks')
      await account.table(Employee).create()
      const entity = await account.table(Employee).insert({ ...jones })
      await photos.on(account).save(entity, photo('portrait'))
    }
    expect(made).toEqual([one.account, two.account])
    expect([await rowsIn(one), await rowsIn(two)]).toEqual([2, 2])
    await one.account.table(Employee).delete(jones, { etag: '*' })
    for (const place of [one, two]) place.now = Date.now() + 1_000
    expect(await photos.on(two.account).sweep({ olderThan: 0 })).toEqual({ checked: 1, deleted: 0 })
    expect(await photos.on(one.account).sweep({ olderThan: 0 })).toEqual({ checked: 1, deleted: 1 })
    expect([await rowsIn(one), await rowsIn(two)]).toEqual([0, 2])
  })

  it('sweep leaves the values of another account in a store that both share', async () => {
    const all = office()
    const store = blobStore(blobContainer(() => all.now))
    const { Employee, photos } = program(store)
    const other = localTableService({ accounts: [{ name: 'other', key: 'b3RoZXI=' }] })
    const two = new Account(
      tableService({
        connectionString: other.connectionString('other'),
        transport: other.transport,
      }),
    )
    for (const account of [all.account, two]) {
      await account.table(Employee).create()
      const entity = await account.table(Employee).insert({ ...jones })
      await photos.on(account).save(entity, photo('portrait'))
    }
    await all.account.table(Employee).delete(jones, { etag: '*' })
    expect(await photos.on(two).sweep({ olderThan: 0 })).toEqual({ checked: 1, deleted: 0 })
    expect((await addressesOf(store)).length).toBe(2)
    const stolen = { ...jones, id: '9', photo: (await two.table(Employee).get(jones)).photo }
    await expect(all.account.table(Employee).insert(stolen)).rejects.toMatchObject({
      code: 'InvalidLargeValue',
      message: expect.stringContaining('another row, table or account'),
    })
  })

  it('rejects a property that is not plain text', async () => {
    const { store } = await opened()
    const Odd = defineEntity({
      name: 'staff',
      partitionKey: key`${'department'}`,
      rowKey: key`${'id'}`,
      schema: z.object({ department: z.string(), id: z.string(), photo: z.number() }),
    })
    expect(() => declareLargeValues(Odd, { property: 'photo', store: () => store })).toThrow(
      ModelError,
    )
    expect(() => declareLargeValues(Odd, { property: 'id' as never, store: () => store })).toThrow(
      ModelError,
    )
  })
})
