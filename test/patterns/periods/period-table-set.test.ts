import { localTableService } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { periodTables } from '@rowkey/patterns'
import { noRetry, type Transport, TransportError, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { isBatch, office } from '../employees.ts'
import { day, Login, logins } from './logins.ts'

describe('PeriodTables', () => {
  it('R-154: reads across the tables of a span, from old to new', async () => {
    const { tables } = logins()
    for (const date of [4, 3, 2, 1]) {
      await tables.insert({ user: 'jones', at: day(date) })
      await tables.insert({ user: 'adams', at: day(date) })
    }
    const found: number[] = []
    const span = { from: day(2), until: day(4, 0) }
    for await (const { at } of tables.query(span, (query) => query.where({ user: 'jones' }))) {
      found.push(at.getUTCDate())
    }
    expect(found).toEqual([2, 3])
  })

  it('R-154: reads the newest table of a span first', async () => {
    const { tables } = logins()
    for (const date of [1, 2, 3]) await tables.insert({ user: 'jones', at: day(date) })
    const found: number[] = []
    const span = { from: day(1), until: day(4, 0), newestFirst: true }
    for await (const { at } of tables.query(span)) found.push(at.getUTCDate())
    expect(found).toEqual([3, 2, 1])
  })

  it.each([true, false])('R-154: reads a span by pages, newest first: %s', async (newestFirst) => {
    const { tables } = logins()
    const users = ['adams', 'jones', 'smith']
    for (const date of [1, 2, 3]) {
      for (const user of users) await tables.insert({ user, at: day(date) })
    }
    const span = { from: day(1), until: day(4, 0), newestFirst }
    const dates = newestFirst ? [3, 2, 1] : [1, 2, 3]
    for (const size of [1, 2, 3, 4, 9]) {
      const found: string[] = []
      let token: string | undefined
      do {
        const { items, next } = await tables.page(span, { size, token })
        expect(items.length).toBeLessThanOrEqual(size)
        if (next !== undefined) expect(items).toHaveLength(size)
        found.push(...items.map(({ at, user }) => `${at.getUTCDate()} ${user}`))
        token = next
      } while (token !== undefined)
      expect(found).toEqual(dates.flatMap((date) => users.map((user) => `${date} ${user}`)))
    }
    await expect(tables.page(span, { size: 1, token: '2026.x' })).rejects.toMatchObject({
      code: 'InvalidPatternOption',
    })
  })

  it('R-154: a page goes on after a table that was dropped since', async () => {
    const { tables } = logins()
    for (const date of [1, 2, 3]) await tables.insert({ user: 'jones', at: day(date) })
    const span = { from: day(1), until: day(4, 0) }
    const { next } = await tables.page(span, { size: 1 })
    await tables.dropBefore(day(3, 0))
    const { items } = await tables.page(span, { size: 2, token: next })
    expect(items.map(({ at }) => at.getUTCDate())).toEqual([3])
  })

  it('R-154: lists tables whose rows can be read', async () => {
    const { tables } = logins()
    await tables.insert({ user: 'jones', at: day(1) })
    for await (const { table } of tables.periods()) {
      expect(await table.query().where({ user: 'jones' }).count()).toBe(1)
    }
  })

  it('R-154: drops the tables of periods that have ended', async () => {
    const { tables, names } = logins()
    for (const date of [1, 2, 3]) await tables.insert({ user: 'jones', at: day(date) })
    expect(await tables.dropBefore(day(3, 0))).toEqual(['Logins20261101', 'Logins20261102'])
    expect(await names()).toEqual(['Logins20261103'])
    expect(await tables.dropBefore(day(3, 23))).toEqual([])
  })

  it('R-154: says that tables may be dropped when the drop of a later one fails', async () => {
    const { tables, over } = logins()
    for (const date of [1, 2]) await tables.insert({ user: 'jones', at: day(date) })
    const stop = new AbortController()
    const account = over((service) => async (request, limits) => {
      const response = await service(request, limits)
      if (request.method === 'DELETE') stop.abort()
      return response
    })
    const options = { prefix: 'Logins', period: 'day', at: ({ at }: { at: Date }) => at } as const
    const dropping = () =>
      periodTables(Login, options).on(account).dropBefore(day(9), { signal: stop.signal })
    await expect(dropping()).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: true })
    await expect(dropping()).rejects.toMatchObject({ name: 'AbortError', mayHaveApplied: false })
  })

  it('R-154: gives each period a name of its own, and other periods do not wait for a deletion', async () => {
    const { tables, names, rival } = logins()
    await tables.insert({ user: 'jones', at: day(1) })
    await tables.insert({ user: 'jones', at: day(2) })
    expect(await tables.dropBefore(day(2, 0))).toEqual(['Logins20261101'])
    const other = periodTables(Login, {
      prefix: 'Logins',
      period: 'day',
      at: ({ at }) => at,
    }).on(rival())
    expect(await other.dropBefore(day(2, 0))).toEqual([])
    for (const date of [2, 3]) await tables.insert({ user: 'adams', at: day(date) })
    expect(await names()).toEqual(['Logins20261102', 'Logins20261103'])
  })

  it('R-154: reports a write to a period whose table is still being deleted', async () => {
    let now = day(5).getTime()
    const local = localTableService({ now: () => now, tableDeletion: { keepNameFor: 40_000 } })
    const service = { transport: local.transport, now: () => now, retry: noRetry }
    const account = new Account(
      tableService({ ...service, connectionString: local.connectionString() }),
    )
    const tables = periodTables(Login, {
      prefix: 'Logins',
      period: 'day',
      at: ({ at }) => at,
    }).on(account)
    await tables.insert({ user: 'jones', at: day(1) })
    await tables.dropBefore(day(2, 0))
    const late = { user: 'adams', at: day(1) }
    await expect(tables.insert(late)).rejects.toMatchObject({ code: 'TableBeingDeleted' })
    await tables.insert({ user: 'adams', at: day(2) })
    now += 40_000
    await tables.insert(late)
    expect(await tables.tableAt(day(1)).query().allowTableScan().count()).toBe(1)
  })

  it('creates the table of a row and of a bulk write also after a lost response', async () => {
    const local = localTableService()
    const service = tableService({
      connectionString: local.connectionString(),
      transport: local.transport,
      sleep: async () => {},
    })
    const options = { prefix: 'Logins', period: 'day', at: ({ at }: { at: Date }) => at } as const
    const tables = periodTables(Login, options).on(new Account(service))
    local.faults.add({ operation: 'insertEntity', nth: 1, fault: { kind: 'lost response' } })
    await tables.insert({ user: 'jones', at: day(1) })
    expect(await tables.tableAt(day(1)).query().allowTableScan().count()).toBe(1)
    await tables.dropBefore(day(2, 0))
    local.faults.add({
      operation: 'entityGroupTransaction',
      nth: 1,
      fault: { kind: 'lost response' },
    })
    const rows = [1, 2].map((hour) => ({ user: 'jones', at: day(1, hour) }))
    await tables.write(day(1), async (table, call) => table.bulk(call).insert(rows))
    expect(await tables.tableAt(day(1)).query().allowTableScan().count()).toBe(2)
  })

  it('says that a row may be stored whose request arrives when its dropped table was created again', async () => {
    const { transport, connectionString } = localTableService()
    const safe = new Account(tableService({ connectionString: connectionString(), transport }))
    let lost: (() => Promise<unknown>) | undefined
    let isLost = false
    const network: Transport = async (request, limits) => {
      if (!request.path.endsWith('/Logins20261102')) return transport(request, limits)
      if (!isLost) {
        isLost = true
        lost = () => transport(request, limits)
        throw new TransportError({ message: 'The response was lost.', mayHaveApplied: true })
      }
      if (await safe.table('Logins20261102').exists()) await lost?.()
      return transport(request, limits)
    }
    const service = tableService({
      connectionString: connectionString(),
      transport: network,
      sleep: async () => {},
    })
    const options = { prefix: 'Logins', period: 'day', at: ({ at }: { at: Date }) => at } as const
    const tables = periodTables(Login, options).on(new Account(service))
    const inserting = tables.insert({ user: 'jones', at: day(2) })
    await expect(inserting).rejects.toMatchObject({
      code: 'EntityAlreadyExists',
      mayHaveApplied: true,
    })
  })

  it('R-154: or deletes the rows of a query in batches', async () => {
    const { account, sent } = logins()
    const table = account.table(Login)
    await table.create()
    const rows = Array.from({ length: 250 }, (_, minute) => ({
      user: 'jones',
      at: new Date(day(1).getTime() + minute * 60_000),
    }))
    await table.bulk().insert(rows)
    sent.length = 0
    await table.query().where({ user: 'jones' }).deleteAll()
    expect(sent.filter(isBatch).length).toBeGreaterThan(1)
    expect(sent.length).toBeLessThan(rows.length / 2)
    expect(await table.query().where({ user: 'jones' }).count()).toBe(0)
  })

  it('leaves tables alone whose names it does not make', async () => {
    const { tables, account, names } = logins()
    for (const name of ['Logins', 'LoginsOld', 'Logins2026', 'Logins20261399']) {
      await account.createTable(name)
    }
    expect(await names()).toEqual([])
    expect(await tables.dropBefore(new Date('9000-01-01'))).toEqual([])
  })

  it('finds and drops the tables that another program created under the same name in other case', async () => {
    const { tables, account, names } = logins()
    await account.createTable('LOGINS20261101')
    await account.createTable('logins20261102')
    for (const date of [1, 2, 3]) await tables.insert({ user: 'jones', at: day(date) })
    expect(await names()).toEqual(['LOGINS20261101', 'logins20261102', 'Logins20261103'])
    const found: number[] = []
    for await (const { at } of tables.query({ from: day(1), until: day(4) })) {
      found.push(at.getUTCDate())
    }
    expect(found).toEqual([1, 2, 3])
    expect(await tables.dropBefore(day(3, 0))).toEqual(['LOGINS20261101', 'logins20261102'])
    expect(await names()).toEqual(['Logins20261103'])
  })

  it('leaves tables alone on Cosmos DB whose names differ in case: they are other tables', async () => {
    const { account } = office('cosmos')
    const tables = periodTables(Login, {
      prefix: 'Logins',
      period: 'day',
      at: ({ at }) => at,
    }).on(account)
    await account.createTable('LOGINS20261101')
    await tables.insert({ user: 'jones', at: day(1) })
    expect(await tables.dropBefore(day(3, 0))).toEqual(['Logins20261101'])
  })

  it('reads on when another program drops a table', async () => {
    const { tables, account, between } = logins()
    for (const date of [1, 2]) await tables.insert({ user: 'jones', at: day(date) })
    between(
      ({ path }) => path.includes('Logins20261101'),
      () => account.deleteTable('Logins20261101'),
    )
    const found: number[] = []
    for await (const { at } of tables.query({ from: day(1), until: day(3) })) {
      found.push(at.getUTCDate())
    }
    expect(found).toEqual([2])
  })

  it.each(['storage', 'cosmos'] as const)(
    'creates the table on demand for batches and bulk writes on %s, also after it was dropped',
    async (flavour) => {
      const { account } = office(flavour)
      const tables = periodTables(Login, {
        prefix: 'Logins',
        period: 'day',
        at: ({ at }) => at,
      }).on(account)
      const rows = [1, 2].map((hour) => ({ user: 'jones', at: day(1, hour) }))
      const count = () => tables.tableAt(day(1)).query().allowTableScan().count()
      const writeBatch = () =>
        tables.write(day(1), async (table, options) => {
          const batch = table.batch()
          for (const row of rows) batch.insert(row)
          await batch.submit(options)
        })
      await Promise.all([
        writeBatch(),
        tables.insert({ user: 'adams', at: day(1) }),
        tables.write(day(2), (table) => table.bulk().insert(rows)),
      ])
      expect(await count()).toBe(3)
      expect(await tables.tableAt(day(2)).query().allowTableScan().count()).toBe(2)
      await tables.dropBefore(day(3, 0))
      await writeBatch()
      expect(await count()).toBe(2)
      // Another program drops it.
      await account.deleteTable('Logins20261101')
      await writeBatch()
      expect(await count()).toBe(2)
    },
  )

  it('finds on Cosmos DB that a table was dropped for all writes that meet it, and tells a missing row', async () => {
    const { account, sent } = office('cosmos')
    const tables = periodTables(Login, {
      prefix: 'Logins',
      period: 'day',
      at: ({ at }) => at,
    }).on(account)
    const at = (hour: number) => ({ user: 'jones', at: day(1, hour) })
    await tables.insert(at(0))
    await account.deleteTable('Logins20261101')
    const writeBatch = (hour: number) =>
      tables.write(day(1), (table, options) =>
        table
          .batch()
          .insert(at(hour))
          .insert(at(hour + 1))
          .submit(options),
      )
    await Promise.all([1, 3, 5].map(writeBatch))
    expect(await tables.tableAt(day(1)).query().allowTableScan().count()).toBe(6)
    sent.length = 0
    const merging = tables.write(day(1), (table, options) =>
      table.merge(at(20), { ...options, etag: '*' }),
    )
    await expect(merging).rejects.toMatchObject({ status: 404 })
    expect(sent).toHaveLength(2)
  })

  it('reads on when the name of a dropped table is still reserved', async () => {
    const local = localTableService({ tableDeletion: { keepNameFor: 40_000 } })
    const options = { transport: local.transport, retry: noRetry }
    const account = new Account(
      tableService({ ...options, connectionString: local.connectionString() }),
    )
    const tables = periodTables(Login, {
      prefix: 'Logins',
      period: 'day',
      at: ({ at }) => at,
    }).on(account)
    for (const date of [1, 2, 3]) await tables.insert({ user: 'jones', at: day(date) })
    const found: number[] = []
    for await (const { at } of tables.query({ from: day(1), until: day(4) })) {
      found.push(at.getUTCDate())
      if (found.length === 1) await account.deleteTable('Logins20261102')
    }
    expect(found).toEqual([1, 3])
  })
})
