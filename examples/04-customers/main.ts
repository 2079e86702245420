/**
 * Two components write different properties of one row, and a third replaces a row. A job reads two properties of
 * each customer who came before 2006 and writes one.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/04-customers/main.ts
 */
import { connect, lt } from 'rowkey'
import { Customer, CustomerRating } from './customer.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const name = `Customers${Date.now()}`
const customers = account.table(Customer, name)
await customers.create()

const customer = (firstName: string, lastName: string, rest: Partial<Customer>): Customer =>
  Object.assign(new Customer(), { firstName, lastName, ...rest })

async function report(step: string): Promise<void> {
  console.log(step)
  for await (const row of account.table(name).query().allowTableScan()) {
    const all = [...row.properties].map(([property, { value }]) => {
      return `${property} ${value instanceof Date ? value.toISOString() : value}`
    })
    console.log(`  ${row.partitionKey} ${row.rowKey}: ${all.sort().join('; ')}`)
  }
}

await customers.insert(
  customer('Walter', 'Harp', {
    address: '1345 Fictitious St, St Buffalo, NY 98052',
    customerSince: new Date('2010-01-05Z'),
    email: 'Walter@contoso.com',
    phoneNumber: '425-555-0101',
    rating: 4,
  }),
)
await customers.insert(
  customer('Jonathan', 'Foster', {
    address: '1234 SomeStreet St, Bellevue, WA 75001',
    customerSince: new Date('2005-01-05Z'),
    email: 'Jonathan@fourthcoffee.com',
    rating: 3,
  }),
)
await customers.insert(
  customer('Lisa', 'Miller', {
    address: '4567 NiceStreet St, Seattle, WA 54332',
    customerSince: new Date('2003-01-05Z'),
    email: 'Lisa@northwindtraders.com',
    rating: 2,
  }),
)

// The mobile app knows the phone number, the website the rest. Neither asks whether the row exists.
await customers.insertOrMerge(customer('John', 'Smith', { phoneNumber: '505-555-0122' }))
const address = '6789 Main St, Albuquerque, VA 98004'
await customers.insertOrMerge(customer('John', 'Smith', { address, email: 'John@cohowinery.com' }))

// The mail service replaces whatever the row had.
await customers.insertOrMerge(customer('David', 'Alexander', { rating: 5, email: 'old' }))
await customers.insertOrReplace(
  customer('David', 'Alexander', {
    phoneNumber: '333-555-0155',
    address: '234 Main St, Anaheim, TX, 65000',
    email: 'David@wideworldimporters.com',
  }),
)
await report('John Smith has the properties of both components, David Alexander only the new ones:')

// A scan, because no key says since when a customer is one. Each merge sends only the rating, by its ETag.
const ratings = account.table(CustomerRating, name)
const old = ratings
  .query()
  .where({ customerSince: lt(new Date('2006-01-01Z')) })
  .select('customerSince', 'rating')
  .allowTableScan()
for await (const row of old) {
  await ratings.merge(Object.assign(row, { rating: (row.rating ?? 0) + 1 }))
}
await report('The job added 1 to the rating of customers since before 2006:')

await customers.drop()
await account.close()
