import { localTableService } from '@rowkey/local'
import {
  Account,
  ModelError,
  modelOf,
  PartitionKey,
  RowKey,
  Table,
  UnionTable,
  union,
} from '@rowkey/mapper'
import { DynamicEntity, filter } from '@rowkey/odata'
import { TableAlreadyExistsError, TableNotFoundError, tableService } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { Customer, customer } from '../customer.ts'
import { freshAccount } from '../fresh-account.ts'
import { Order } from '../union/store.ts'

class Nameless {
  @PartitionKey() partition = 'p'
  @RowKey() row = 'r'
}

const ALL = { lastName: 'Smith' }

/** A transaction for each. */
function ofManyPartitions(): readonly Customer[] {
  return Array.from({ length: 20 }, (_, index) => customer(`${index}`, 'Ann'))
}

async function names(tables: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const name of tables) found.push(name)
  return found
}

describe('Account', () => {
  it('opens the table that a class names, or another one', () => {
    const { account, sent } = freshAccount()
    expect(account.table(Customer)).toBeInstanceOf(Table)
    expect(account.table(Customer).name).toBe('customers')
    expect(account.table(modelOf(Customer)).name).toBe('customers')
    expect(account.table(Customer, 'archive').name).toBe('archive')
    expect(sent).toEqual([])
  })

  it('R-40: limits scans for all its tables, and a table can override that', async () => {
    const { service } = freshAccount()
    const strict = new Account(service, { scans: 'none' })
    const ofPartition = (table: Table<Customer>) => table.query().where({ lastName: 'Smith' })
    await expect(ofPartition(strict.table(Customer)).toArray()).rejects.toMatchObject({
      code: 'PartitionScan',
    })
    await strict.table(Customer).create()
    expect(await ofPartition(strict.table(Customer)).allowPartitionScan().count()).toBe(0)
    expect(await ofPartition(strict.table(Customer, { scans: 'partitionScan' })).count()).toBe(0)
    expect(await strict.table('customers', { scans: 'tableScan' }).query().count()).toBe(0)
    await expect(strict.table('customers').query().count()).rejects.toMatchObject({
      code: 'TableScan',
    })
    expect(strict.table(Customer, { name: 'archive' }).name).toBe('archive')
  })

  it('rejects invalid scan policies by name', () => {
    const { account, service } = freshAccount()
    expect(() => new Account(service, { scans: 'some' as never })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
    expect(() => account.table(Customer, { scans: 'some' as never })).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
    expect(() => account.table('people', { scan: 'none' } as object)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(() => account.table('people', 'other' as never)).toThrow(
      expect.objectContaining({ code: 'InvalidOptionValue' }),
    )
  })

  it('R-95: opens a table of entities without a declared class', async () => {
    const people = freshAccount().account.table('people')
    await people.create()
    await people.insert(new DynamicEntity('Smith', 'Jeff', { points: 5n }))
    const jeff = await people.get(['Smith', 'Jeff'])
    expect(jeff).toBeInstanceOf(DynamicEntity)
    expect(jeff.get('points')?.as('Int64')).toBe(5n)
  })

  it('names the likely cause of a class that is undefined', () => {
    const { account } = freshAccount()
    expect(() => account.table(undefined as never)).toThrow(
      /^A table needs a class, .* but got undefined\. .*imported in a circle/,
    )
  })

  it('names every option of a table when one is unknown', () => {
    const { account } = freshAccount()
    expect(() => account.table(Customer, { nam: 'x' } as never)).toThrow(
      "table of an account has no option 'nam'. Its options are: name, scans.",
    )
  })

  it('rejects a class without a table name, and explains both alternatives', () => {
    const { account } = freshAccount()
    expect(() => account.table(Nameless)).toThrow(ModelError)
    expect(() => account.table(Nameless)).toThrow(/@Entity\('people'\).*account\.table\(Class/)
    expect(account.table(Nameless, 'people').name).toBe('people')
  })

  it.each(['x', 'first-name', '1st', '', 'people\n'])('R-01: rejects %j as a name', (name) => {
    const { account } = freshAccount()
    expect(() => account.table(name)).toThrow(expect.objectContaining({ code: 'InvalidTableName' }))
    expect(() => account.table(Customer, name)).toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })

  it('R-01: leaves the check of a name to the service on request', () => {
    const { connectionString } = localTableService()
    const service = tableService({
      connectionString: connectionString(),
      checks: { tableNames: 'by the service' },
    })
    expect(new Account(service).table('first-name').name).toBe('first-name')
  })

  it.each([undefined, null, 5, {}, () => 0])('rejects %o as a class', (garbage) => {
    expect(() => freshAccount().account.table(garbage as unknown as typeof Customer)).toThrow(
      ModelError,
    )
  })

  it('R-31: lists its tables, all or by prefix', async () => {
    const { account } = freshAccount()
    for (const name of ['logs2025', 'logs2026', 'people', 'Logs']) await account.createTable(name)
    expect((await names(account.tables())).sort()).toEqual([
      'Logs',
      'logs2025',
      'logs2026',
      'people',
    ])
    expect(await names(account.tables({ prefix: 'logs' }))).toEqual([
      'Logs',
      'logs2025',
      'logs2026',
    ])
    expect(await names(account.tables({ prefix: 'x' }))).toEqual([])
  })

  it('R-31: lists its tables by a filter, also together with a prefix', async () => {
    const { account } = freshAccount()
    for (const name of ['logs2025', 'logs2026', 'people']) await account.createTable(name)
    const later = filter`TableName gt ${'logs2025'}`
    expect(await names(account.tables({ filter: later }))).toEqual(['logs2026', 'people'])
    expect(await names(account.tables({ filter: later, prefix: 'logs' }))).toEqual(['logs2026'])
  })

  it.each([
    [{ prefix: 3 }, /^prefix of tables of an account must be a text; got 3/],
    [{ prefix: null }, /prefix of tables of an account must be a text; got null/],
    [
      { filter: "TableName ge 'm'" },
      /filter of tables of an account must be a condition from the template function filter/,
    ],
  ])('rejects %j as a choice of tables, and sends nothing', (choice, message) => {
    const { account, sent } = freshAccount()
    expect(() => account.tables(choice as object)).toThrow(
      expect.objectContaining({
        code: 'InvalidOptionValue',
        message: expect.stringMatching(message),
      }),
    )
    expect(sent).toEqual([])
  })

  it('R-31: lists its tables page by page, and continues from a token', async () => {
    const { account, sent } = freshAccount()
    for (const name of ['a11', 'b11', 'c11']) await account.createTable(name)
    sent.length = 0
    const list = account.tables({ pageSize: 2 })
    const { value: first } = await list.byPage().next()
    expect(first?.names).toEqual(['a11', 'b11'])
    expect(sent).toHaveLength(1)
    const rest = []
    for await (const page of list.byPage({ continuationToken: first?.continuationToken })) {
      rest.push(page)
    }
    expect(rest).toEqual([{ names: ['c11'], continuationToken: undefined }])
    const other = account.tables({ prefix: 'b' }).byPage({
      continuationToken: first?.continuationToken,
    })
    await expect(other.next()).rejects.toMatchObject({ code: 'InvalidContinuationToken' })
    await expect(list.byPage({ token: 'x' } as never).next()).rejects.toMatchObject({
      code: 'UnknownOption',
    })
  })

  it('R-25: creates and deletes tables', async () => {
    const { account } = freshAccount()
    await account.createTable('people')
    await expect(account.createTable('people')).rejects.toThrow(TableAlreadyExistsError)
    await account.deleteTable('people')
    await expect(account.deleteTable('people')).rejects.toThrow(TableNotFoundError)
    await expect(account.createTable('no good')).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidTableName' }),
    )
  })

  it('rejects unknown options', async () => {
    const { account, sent } = freshAccount()
    const options = { perfix: 'x' } as object
    expect(() => account.tables(options)).toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(account.createTable('people', options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(account.deleteTable('people', options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    await expect(account.statistics(options)).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownOption' }),
    )
    expect(sent).toEqual([])
  })

  it('R-25: can wait for a deleted table', async () => {
    const { account } = freshAccount()
    await account.createTable('people', { waitForDeletion: true })
    await expect(account.createTable('people', { waitForDeletion: true })).rejects.toThrow(
      TableAlreadyExistsError,
    )
  })

  it('R-119: reads the replication status', async () => {
    const { status, lastSyncTime } = await freshAccount().account.statistics()
    expect(status).toBe('live')
    expect(lastSyncTime).toBeInstanceOf(Date)
  })

  it('closes the connections of its service', async () => {
    const { service } = freshAccount()
    const closed: unknown[] = []
    const close = async (options: unknown) => void closed.push(options)
    await new Account({ ...service, close }).close()
    await new Account({ ...service, close }).close({ drain: true })
    expect(closed).toEqual([undefined, { drain: true }])
  })

  it.each<[string, (people: Table<Customer>) => PromiseLike<unknown>]>([
    ['insert', (people) => people.insert(customer('Smith', 'Ann'))],
    ['get', (people) => people.get(['Smith', 'Jeff'])],
    ['find', (people) => people.find(['Smith', 'Jeff'])],
    ['exists', (people) => people.exists(['Smith', 'Jeff'])],
    ['delete', (people) => people.delete(['Smith', 'Jeff'], { etag: '*' })],
    [
      'modify',
      (people) => people.modify(['Smith', 'Jeff'], (jeff) => void Object.assign(jeff, { age: 40 })),
    ],
    ['a batch', (people) => people.batch().insert(customer('Smith', 'Ann')).submit()],
    ['a query', (people) => people.query().allowTableScan().toArray()],
    ['a query of several pages', (people) => people.query().where(ALL).pageSize(1).toArray()],
    ['queries at once', (people) => people.query().inPartitions(['Smith', 'Jones']).toArray()],
    ['one page', (people) => people.query().where(ALL).pageSize(1).page({ size: 2 })],
    [
      'a handler of rows',
      (people) =>
        people
          .query()
          .where(ALL)
          .pageSize(1)
          .forEach(() => {}),
    ],
    ['getMany', (people) => people.getMany(ofManyPartitions())],
    ['the access policies', (people) => people.accessPolicies.get()],
    ['a change of the access policies', (people) => people.accessPolicies.set([])],
    ['a revocation', (people) => people.accessPolicies.revoke('readers')],
    ['a bulk write', (people) => people.bulk({ concurrency: 1 }).insert(ofManyPartitions())],
    ['deleteAll', (people) => people.query().where(ALL).pageSize(1).deleteAll()],
  ])('close with drain completes a call of the same tick: %s', async (_, begin) => {
    const { account } = freshAccount()
    const people = account.table(Customer)
    await people.create()
    await people.insert(customer('Smith', 'Jeff', { age: 39 }))
    await people.insert(customer('Smith', 'Walter'))
    const call = begin(people).then((value) => value) // a bulk write begins when it is awaited
    await account.close({ drain: true })
    await expect(people.find(['Smith', 'Jeff'])).rejects.toMatchObject({
      code: 'AccountClosed',
      failure: 'closed',
      mayHaveApplied: false,
    })
    await expect(call).resolves.not.toThrow()
  })

  it('close with drain waits for the loop over a query, and rejects other calls', async () => {
    const { account } = freshAccount()
    const people = account.table(Customer)
    await people.create()
    for (const firstName of ['Ann', 'Jeff', 'Walter'])
      await people.insert(customer('Smith', firstName))
    const found: string[] = []
    let closing: Promise<void> | undefined
    for await (const { firstName } of people.query().where(ALL).pageSize(1)) {
      found.push(firstName)
      closing ??= account.close({ drain: true })
      await expect(people.find(['Smith', 'Jeff'])).rejects.toMatchObject({ failure: 'closed' })
    }
    await closing
    expect(found).toEqual(['Ann', 'Jeff', 'Walter'])
  })

  it('close with drain waits for the outcomes of a bulk write', async () => {
    const { account } = freshAccount()
    const people = account.table(Customer)
    await people.create()
    const states: string[] = []
    let closing: Promise<void> | undefined
    for await (const { status } of people.bulk({ concurrency: 1 }).insert(ofManyPartitions())) {
      states.push(status)
      closing ??= account.close({ drain: true })
    }
    await closing
    expect(states).toEqual(Array(20).fill('done'))
  })

  it('close with drain waits for the loop over tables', async () => {
    const { account } = freshAccount()
    for (const name of ['first', 'second']) await account.createTable(name)
    const found: string[] = []
    let closing: Promise<void> | undefined
    for await (const name of account.tables({ pageSize: 1 })) {
      found.push(name)
      closing ??= account.close({ drain: true })
    }
    await closing
    expect(found).toEqual(['first', 'second'])
  })

  it('close ends the wait of a drain for a loop that was left open', async () => {
    const { account } = freshAccount()
    const people = account.table(Customer)
    await people.create()
    await people.insert(customer('Smith', 'Jeff'))
    await people.query().where(ALL)[Symbol.asyncIterator]().next()
    const draining = account.close({ drain: true })
    await account.close()
    await expect(draining).resolves.toBeUndefined()
  })

  it.each<[string, (account: Account) => Promise<unknown>]>([
    ['get', (account) => account.properties.get()],
    ['set', (account) => account.properties.set({ hourMetrics: { enabled: false } })],
  ])('close with drain completes a call of the account’s properties: %s', async (_, begin) => {
    const { account } = freshAccount()
    const call = begin(account)
    await account.close({ drain: true })
    await expect(call).resolves.not.toThrow()
  })

  it('close with drain does not wait for loops after a close without', async () => {
    const { account } = freshAccount()
    const people = account.table(Customer)
    await people.create()
    await people.insert(customer('Smith', 'Jeff'))
    await people.query().where(ALL)[Symbol.asyncIterator]().next()
    await account.close()
    await expect(account.close({ drain: true })).resolves.toBeUndefined()
  })

  it('moves entities between tables of one class', async () => {
    const { account } = freshAccount()
    const [current, archive] = [account.table(Customer), account.table(Customer, 'archive')]
    await Promise.all([current.create(), archive.create()])
    const jeff = await current.insert(customer('Smith', 'Jeff', { age: 39 }))
    await archive.insert(jeff)
    expect((await archive.get(['Smith', 'Jeff'])).age).toBe(39)
  })

  it('R-79, R-80: makes a SAS for all its tables, without sending anything', () => {
    const { account, sent } = freshAccount()
    const expiry = new Date(Date.UTC(2099, 0))
    const { token } = account.sas({ permissions: 'rl', resourceTypes: 'co', expiry })
    expect(Object.fromEntries(new URLSearchParams(token))).toMatchObject({
      ss: 't',
      srt: 'co',
      sp: 'rl',
    })
    expect(sent).toEqual([])
    const terms = { permissions: 'rl', resourceTypes: 'co', expiry, policy: 'support' }
    expect(() => account.sas(terms)).toThrow(expect.objectContaining({ code: 'UnknownOption' }))
  })
})

describe('account.table', () => {
  it('opens the table of a class or model, under its name or another', () => {
    const { account } = freshAccount()
    expect(account.table(Customer).name).toBe('customers')
    expect(account.table(Order, 'others').name).toBe('others')
    expect(account.table(Order)).toBeInstanceOf(Table)
  })

  it('opens a table of several types, and one of entities without a declared class', () => {
    const { account } = freshAccount()
    const store = account.table('store', union(Order))
    expect([store.name, store instanceof UnionTable]).toEqual(['store', true])
    expect(account.table('store')).not.toBeInstanceOf(UnionTable)
  })

  it('rejects unknown options', () => {
    const { account } = freshAccount()
    const unknown = expect.objectContaining({ code: 'UnknownOption' })
    for (const options of [{ scan: 'none' }, { name: 'others' }]) {
      expect(() => account.table('store', options as never)).toThrow(unknown)
    }
    expect(() => account.table('store', union(Order), { scan: 'none' } as never)).toThrow(unknown)
  })
})
