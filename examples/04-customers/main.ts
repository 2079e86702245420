/**
 * Two components that write one row, neither knowing what the other stores; and a job that rates
 * customers by reading one property of each.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/04-customers/main.ts
 */
import { connect } from 'rowkey'
import { Contact, Rated } from './contact.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A name of its own, so that no table of yours is touched.
const name = `customers${Date.now()}`
const contacts = account.table(Contact, name)
const rated = account.table(Rated, name)
const rows = account.table(name)
await contacts.create()

async function tell(step: string): Promise<void> {
  const row = await rows.get(['Smith', 'Jeff'])
  const all = [...row.properties].map(([property, { value }]) => `${property} ${value}`)
  console.log(`${step}\n  ${all.sort().join(', ')}`)
}

const jeff = { lastName: 'Smith', firstName: 'Jeff' }
await contacts.insertOrMerge(Object.assign(new Contact(), jeff, { email: 'jeff@contoso.com' }))
await tell('The address book stored Jeff')

await rated.insertOrMerge(Object.assign(new Rated(), jeff, { purchases: 1250.5 }))
await tell('The shop stored him too: the row holds both')

for await (const row of rated.query().where({ lastName: 'Smith' }).select('purchases')) {
  await rated.merge(Object.assign(row, { rating: (row.purchases ?? 0) > 1000 ? 5 : 1 }))
}
await tell('The rating job read the purchases and sent the rating, and nothing else')

await contacts.insertOrReplace(Object.assign(new Contact(), jeff, { phone: '555-0101' }))
await tell('The address book replaced the row: what it does not hold is gone')

await contacts.drop()
await account.close()
