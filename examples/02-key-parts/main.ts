/**
 * One key made of two properties: people in the partition of their state and city.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/02-key-parts/main.ts
 */
import { connect, InputError, type Table } from 'rowkey'
import { Person, person } from './person.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const people: Table<Person> = account.table(Person, `people${Date.now()}`)
await people.create()

await people.insert(person('WA', 'Seattle', 7, 'Jeff Price'))
await people.insert(person('WA', 'Seattle', 12, 'Anna Lidman'))
await people.insert(person('WA', 'Spokane', 3, 'Ben Smith'))
await people.insert(person('OR', 'Salem', 1, 'Jun Cao'))

const jeff = await people.get({ state: 'WA', city: 'Seattle', badge: 7 })
console.log(`${jeff.name} lives in ${jeff.city}, ${jeff.state}`)

const [pair] = await people.query().where({ state: 'OR', city: 'Salem' }).toArray()
console.log(`${pair?.name} has badge ${pair?.badge}`)

for (const where of [
  { state: 'WA', city: 'Seattle', badge: 12 },
  { state: 'WA', city: 'Seattle' },
  { state: 'WA' },
]) {
  const query = people.query().where(where)
  const names = (await query.toArray()).map(({ name }) => name)
  const { plan, filter } = query.explain()
  console.log(`${names.join(', ')}\n  ${plan}: ${filter}`)
}

jeff.city = 'Tacoma'
try {
  await people.merge(jeff)
} catch (error) {
  if (!(error instanceof InputError) || error.code !== 'ChangedKey') throw error
  console.log('A key cannot be changed in place, so insert Jeff again and delete the old row:')
}
const seattle = { state: 'WA', city: 'Seattle', badge: 7 }
await people.insert(person(jeff.state, jeff.city, jeff.badge, jeff.name))
await people.delete(seattle, { etag: '*' })
const movers = await people.query().where({ state: 'WA', city: 'Tacoma' }).toArray()
console.log(`${movers.map(({ name }) => name).join(', ')} is in Tacoma`)

await people.drop()
await account.close()
