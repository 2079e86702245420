import {
  connect,
  Entity,
  EntityNotFoundError,
  ETag,
  ge,
  Ignore,
  isRowkeyError,
  PartitionKey,
  Property,
  RowKey,
  StoreAs,
} from 'rowkey'

/** The class of the project's README, compiled by the tool under test. */
@Entity('people')
export class Customer {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @StoreAs('cea') customerEmailAddress?: string
  @Property('Int64') points?: bigint
  @Property('Double') rating?: number
  @Property('DateTime') since?: Date
  photo?: Uint8Array
  @Ignore() selected? = false
  @ETag() etag?: string
}

/**
 * Does what the README shows.
 *
 * @param target - what `connect` opens
 * @returns what was done, one line each
 * @throws Error that says what is different from the README
 */
export async function readme(target = 'memory:'): Promise<string[]> {
  const done: string[] = []
  const account = connect(target)
  const customers = account.table(Customer)
  await customers.create()
  const jeff = await customers.insert({
    lastName: 'Smith',
    firstName: 'Jeff',
    customerEmailAddress: 'Jeff@contoso.com',
    points: 9_007_199_254_740_993n,
    rating: 4,
    since: new Date('2008-07-10T00:00:00Z'),
    photo: new Uint8Array([0, 255]),
  })
  equal(typeof jeff.etag, 'string', 'insert sets the ETag')
  done.push('insert')

  const read = await customers.get(['Smith', 'Jeff'])
  equal(read.points, 9_007_199_254_740_993n, 'Int64 is exact')
  equal(read.rating, 4, 'Double is read')
  equal(read.since?.toISOString(), '2008-07-10T00:00:00.000Z', 'DateTime is read')
  equal(read.photo?.[1], 255, 'Binary is read')
  equal(read.selected, false, 'ignored members keep their default')
  equal(read instanceof Customer, true, 'a row becomes an object of its class')
  done.push('get')

  const columns = await account.table('people').get(['Smith', 'Jeff'])
  equal(columns.get('cea')?.value, 'Jeff@contoso.com', 'StoreAs renames the property')
  equal(columns.get('rating')?.type, 'Double', 'a whole Double stays a Double')

  jeff.points = 10n
  await customers.merge(jeff)
  equal((await customers.get(['Smith', 'Jeff'])).points, 10n, 'merge stores the change')
  done.push('merge')

  await customers
    .batch()
    .insert({ lastName: 'Smith', firstName: 'Ben', points: 1n })
    .insert({ lastName: 'Smith', firstName: 'Lisa', points: 20n })
    .submit()
  done.push('batch')

  const names: string[] = []
  const query = customers.query().where((c) => c.lastName.eq('Smith').and(c.points.ge(10n)))
  equal(query.explain().filter, "PartitionKey eq 'Smith' and points ge 10L", 'the filter is right')
  for await (const { firstName } of query) names.push(firstName)
  equal(names.join(), 'Jeff,Lisa', 'a query by a function')
  const again = await customers
    .query()
    .where({ lastName: 'Smith', points: ge(10n) })
    .toArray()
  equal(again.length, 2, 'a query by an object')
  done.push('query')

  const missing = await customers.get(['Smith', 'Zoe']).catch((error: unknown) => error)
  equal(missing instanceof EntityNotFoundError, true, 'a missing entity has its own error')
  equal(isRowkeyError(missing), true, 'isRowkeyError knows it')
  await customers.drop()
  await account.close()
  done.push('errors')
  return done
}

function equal(actual: unknown, expected: unknown, fact: string): void {
  if (Object.is(actual, expected)) return
  throw new Error(`${fact}: expected ${String(expected)}, got ${String(actual)}`)
}
