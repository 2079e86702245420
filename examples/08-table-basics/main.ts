/**
 * The basics: a client and a table; insert and retrieve; a batch and a query; projection by the service
 * and by the program; an update of properties that the class does not declare.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/08-table-basics/main.ts
 */
import { connect, ge } from 'rowkey'
import { Item, item } from './item.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const name = `items${Date.now()}`
const items = account.table(Item, name)
console.log(
  `Created: ${await items.createIfNotExists()}, again: ${await items.createIfNotExists()}`,
)

await items.insert(item('lamps', '01', 19.5, 3))
const lamp = await items.get(['lamps', '01'])
console.log(`Retrieved: ${lamp.name} at ${lamp.price}`)

const batch = items.batch()
for (const [id, price] of [
  ['02', 25],
  ['03', 80],
  ['04', 120],
] as const) {
  batch.insert(item('lamps', id, price, 1))
}
console.log(`Batch: ${(await batch.submit()).length} inserted`)

const expensive = items.query().where({ shelf: 'lamps', price: ge(25) })
console.log(`Query: ${(await expensive.toArray()).map(({ id }) => id)}`)

const byService = await expensive.select('name').toArray()
console.log(`Projected by the service: ${byService.map((row) => row.name)}`)
const byProgram = await expensive
  .resolve((_, id, __, properties) => `${id}=${properties.get('price')?.value}`)
  .toArray()
console.log(`Projected by the program: ${byProgram}`)

// Changing or adding a property needs no class.
const rows = account.table(name)
for await (const row of rows.query().where({ partitionKey: 'lamps' })) {
  const price = row.get('price')?.as('Double') ?? 0
  if (price >= 80) await rows.merge(row.set('onSale', true))
}
const sale = rows.query().where({ partitionKey: 'lamps', onSale: true })
console.log(`On sale: ${(await sale.toArray()).map((row) => row.rowKey)}`)
const last = await items.get(['lamps', '04'])
await items.replace(Object.assign(last, { price: 99 }))
const kept = await rows.get(['lamps', '04'])
console.log(
  `Replaced with a class that does not declare onSale; it is still ${kept.get('onSale')?.value}`,
)

await items.dropIfExists()
await account.close()
