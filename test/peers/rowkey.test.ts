import { TableClient } from '@azure/data-tables'
import {
  type Account,
  AuthenticationError,
  BatchError,
  connect,
  DynamicEntity,
  Entity,
  EntityAlreadyExistsError,
  EntityProperty,
  ETagMismatchError,
  PartitionKey,
  Property,
  parseDateTime,
  printDateTime,
  RowKey,
  TableNotFoundError,
} from 'rowkey'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

@Entity('customers')
class Customer {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @Property('String') email?: string
  @Property('Boolean') active?: boolean
  @Property('Int32') age?: number
  @Property('Int64') points?: bigint
  @Property('Double') rating?: number
  @Property('DateTime') since?: Date
  @Property('Guid') card?: string
  @Property('Binary') print?: Uint8Array
}

const customer = (lastName: string, firstName: string, more: Partial<Customer> = {}): Customer =>
  Object.assign(new Customer(), { lastName, firstName, ...more })

const everyType = {
  email: "O'Brien 日本語 😀",
  active: false,
  age: -2_147_483_648,
  points: 9_223_372_036_854_775_807n,
  rating: 4,
  since: new Date('2014-08-22T00:50:30.123Z'),
  card: 'c9da6455-213d-42c9-9a79-3e9149a57833',
  print: Uint8Array.of(0, 127, 128, 255),
}

describe('Rowkey on Azurite', () => {
  let azurite: Service
  let account: Account

  beforeAll(async () => {
    azurite = await startAzurite()
    account = connect(azurite.connectionString)
  })

  afterAll(async () => {
    await account.close()
    await azurite.close()
  })

  beforeEach(async () => {
    await account.table(Customer).dropIfExists()
    await account.table(Customer).create()
  })

  it('keeps a value of each of the eight types', async () => {
    const customers = account.table(Customer)
    await customers.insert(customer('Smith', 'Jeff', everyType))
    const { since, ...read } = await customers.get(['Smith', 'Jeff'])
    const { since: expected, ...others } = everyType
    expect(read).toMatchObject(others)
    expect(since?.getTime()).toBe(expected.getTime())
  })

  it('pages through rows with an empty PartitionKey or RowKey', async () => {
    const rows = account.table('customers')
    const keys = ['/', '/a', '/b', 'x/', 'x/y']
    for (const key of keys) {
      const [partitionKey = '', rowKey = ''] = key.split('/')
      await rows.insert(new DynamicEntity(partitionKey, rowKey))
    }
    for (const size of [1, 2, 3]) {
      const found: string[] = []
      let token: string | undefined
      do {
        const { items, next } = await rows.query().allowTableScan().page({ size, token })
        found.push(...items.map(({ partitionKey, rowKey }) => `${partitionKey}/${rowKey}`))
        token = next
      } while (token !== undefined)
      expect(found).toEqual(keys)
      expect(await rows.query().allowTableScan().pageSize(size).count()).toBe(5)
    }
  })

  // Not -0: Azurite parses and prints every number anew, and its 0 has no sign.
  it.each([4, 1e300, 5e-324, Number.NaN, Infinity, -Infinity])(
    'keeps the Double %s',
    async (rating) => {
      const customers = account.table(Customer)
      await customers.insert(customer('Smith', 'Jeff', { rating }))
      expect((await customers.get(['Smith', 'Jeff'])).rating).toBe(rating)
      const people = account.table('customers')
      expect((await people.get(['Smith', 'Jeff'])).get('rating')?.type).toBe('Double')
    },
  )

  it('keeps the type of an undeclared property when another one changes', async () => {
    const people = account.table('customers')
    const properties = {
      score: EntityProperty.double(3),
      seen: EntityProperty.of(parseDateTime('2014-08-22T00:50:30.1234567Z')),
      visits: EntityProperty.int64(3n),
      card: EntityProperty.guid(everyType.card),
    }
    await people.insert(new DynamicEntity('Smith', 'Jeff', properties))
    const jeff = await people.get(['Smith', 'Jeff'])
    jeff.set('visits', 4n)
    await people.replace(jeff)
    const again = await people.get(['Smith', 'Jeff'])
    expect([...again.properties].map(([name, { type }]) => [name, type]).sort()).toEqual([
      ['card', 'Guid'],
      ['score', 'Double'],
      ['seen', 'DateTime'],
      ['visits', 'Int64'],
    ])
    const seen = again.get('seen')?.as('DateTime')
    expect(seen && printDateTime(seen)).toBe('2014-08-22T00:50:30.1234567Z')
  })

  it('is read by the official client as it was meant', async () => {
    await account.table(Customer).insert(customer('Smith', 'Jeff', everyType))
    const official = TableClient.fromConnectionString(azurite.connectionString, 'customers', {
      allowInsecureConnection: true,
    })
    const { etag, timestamp, ...read } = await official.getEntity('Smith', 'Jeff')
    expect(read).toMatchObject({
      ...everyType,
      card: { type: 'Guid', value: everyType.card },
      print: Buffer.from(everyType.print),
    })
  })

  it('queries over more than one page', async () => {
    const customers = account.table(Customer)
    for (let start = 0; start < 1100; start += 100) {
      const batch = customers.batch()
      for (let i = start; i < start + 100; i++) {
        batch.insert(customer('Sales', String(i).padStart(5, '0'), { age: i % 50 }))
      }
      await batch.submit()
    }
    const everyone = customers.query().where({ lastName: 'Sales' })
    expect(await everyone.toArray()).toHaveLength(1100)
    expect(await everyone.where((c) => c.age.lt(10)).toArray()).toHaveLength(220)
    expect(await everyone.take(1050).toArray()).toHaveLength(1050)
  })

  it('refuses a stale ETag', async () => {
    const customers = account.table(Customer)
    await customers.insert(customer('Smith', 'Jeff', everyType))
    const mine = await customers.get(['Smith', 'Jeff'])
    const theirs = await customers.get(['Smith', 'Jeff'])
    await customers.merge(Object.assign(theirs, { age: 1 }))
    await expect(customers.merge(Object.assign(mine, { age: 2 }))).rejects.toThrow(
      ETagMismatchError,
    )
  })

  it('says which change undid a batch', async () => {
    const customers = account.table(Customer)
    await customers.insert(customer('Smith', 'Jeff'))
    const work = customers
      .batch()
      .insert(customer('Smith', 'Ben'))
      .insert(customer('Smith', 'Jeff'))
      .submit()
    const error = await work.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(BatchError)
    expect(error).toMatchObject({ index: 1, status: 409, code: 'EntityAlreadyExists' })
    expect(await customers.find(['Smith', 'Ben'])).toBeUndefined()
  })

  it('has an error of its own for each thing that callers branch on', async () => {
    const customers = account.table(Customer)
    await customers.insert(customer('Smith', 'Jeff'))
    await expect(customers.insert(customer('Smith', 'Jeff'))).rejects.toThrow(
      EntityAlreadyExistsError,
    )
    await expect(account.table('nowhere').get(['a', 'b'])).rejects.toThrow(TableNotFoundError)
    const wrong = azurite.connectionString.replace(/AccountKey=[^;]*/, 'AccountKey=d3Jvbmc=')
    await expect(connect(wrong).table(Customer).get(['Smith', 'Jeff'])).rejects.toThrow(
      AuthenticationError,
    )
  })
})
