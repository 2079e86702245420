import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { blobStore, chunkStore, type LargeValueStore } from '@rowkey/patterns'
import {
  ETagMismatchError,
  noRetry,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { office } from '../employees.ts'
import { mortal } from '../mortal-programs.ts'
import { blobContainer } from './blob-container.ts'
import { jones, opened, photo, program, shown } from './employee-photos.ts'
import { addressesOf } from './opened-stores.ts'

describe('declareLargeValues', () => {
  it('sweep deletes the values of a dropped table', async () => {
    const { employees, photos, store } = await opened()
    const entity = { ...jones }
    await photos.stage(entity, photo('portrait'))
    await employees.insert(entity)
    await employees.drop()
    expect(await photos.sweep({ olderThan: 0 })).toEqual({ checked: 1, deleted: 1 })
    expect(await addressesOf(store)).toEqual([])
  })

  it('opened by a table from within, reach the values of its rows only, and the caller names no tenant', async () => {
    const all = office()
    const { account, sent } = all
    const store = blobStore(blobContainer(() => all.now))
    const { Employee, photos } = program(store)
    const employees = account.table(Employee)
    await employees.create()
    const other = await employees.insert({ department: 'Sales2', id: '1' })
    await photos.on(account).save(other, photo('other'))

    const sales = employees.within({ department: 'Sales' })
    const values = photos.on(sales)
    const staged = { id: '223' }
    await values.stage(staged, photo('one'))
    await sales.insert(staged)
    expect(shown(await values.load(await sales.get({ id: '223' })))).toBe('one')
    const read = await sales.get({ id: '223' })
    await values.save(read, photo('two'))
    expect(shown(await values.load(read))).toBe('two')
    await values.stage({ id: '224' }, photo('never written'))

    sent.length = 0
    const outside = { code: 'OutsideWithin' }
    await expect(values.save(other as never, photo('x'))).rejects.toMatchObject(outside)
    await expect(values.stage(other as never, photo('x'))).rejects.toMatchObject(outside)
    await expect(values.load(other as never)).rejects.toMatchObject(outside)
    const forged = { id: '223', photo: other.photo }
    await expect(values.load(forged)).rejects.toMatchObject({ code: 'InvalidLargeValue' })
    expect(sent).toEqual([])

    await employees.delete(other)
    expect(await values.sweep({ olderThan: 0 })).toEqual({ checked: 2, deleted: 1 })
    expect(await photos.on(account).sweep({ olderThan: 0 })).toEqual({ checked: 2, deleted: 1 })
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
      'devstoreaccount1/elsewhere/Sales/223/PhotoUrl/x',
      'devstoreaccount1/staff/Sales/2/PhotoUrl/id00000006',
      'devstoreaccount1/staff/Sales/223/Other/x',
      'devstoreaccount1/staff/Sales/223/PhotoUrl/id00000003',
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
})
