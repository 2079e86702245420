/**
 * Two components write different properties of one row. A job rates customers and reads one property of
 * each.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/04-customers/main.ts
 */
import { connect } from 'rowkey'
import { Contact, Rated } from './contact.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const name = `customers${Date.now()}`
const contacts = account.table(Contact, name)
const rated = account.table(Rated, name)
const rows = account.table(name)
await contacts.create()

async function report(step: string): Promise<void> {
  const row = await rows.get(['Smith', 'Jeff'])
  const all = [...row.properties].map(([property, { value }]) => `${property} ${value}`)
  console.log(`${step}\n  ${all.sort().join(', ')}`)
}

const jeff = { lastName: 'Smith', firstName: 'Jeff' }
await contacts.insertOrMerge(Object.assign(new Contact(), jeff, { email: 'jeff@contoso.com' }))
await report('The address book stored Jeff')

await rated.insertOrMerge(Object.assign(new Rated(), jeff, { purchases: 1250.5 }))
await report('The shop stored Jeff too: the row has the properties of both')

for await (const row of rated.query().where({ lastName: 'Smith' }).select('purchases')) {
  await rated.merge(Object.assign(row, { rating: (row.purchases ?? 0) > 1000 ? 5 : 1 }))
}
await report('The rating job read only the purchases and sent only the rating')

await contacts.insertOrReplace(Object.assign(new Contact(), jeff, { phone: '555-0101' }))
await report('The address book replaced the row: all other properties are gone')

await contacts.drop()
await account.close()
