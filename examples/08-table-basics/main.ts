/**
 * The basics, one after another: a client and a table; insert and retrieve; a batch and a query;
 * projection by the service and by the program; an update of properties that no class declares.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/08-table-basics/main.ts
 */
import { connect, ge } from 'rowkey'
import { Item, item } from './item.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A name of its own, so that no table of yours is touched.
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

const dear = items.query().where({ shelf: 'lamps', price: ge(25) })
console.log(`Query: ${(await dear.toArray()).map(({ id }) => id)}`)

const byService = await dear.select('name').toArray()
console.log(`Projected by the service: ${byService.map((row) => row.name)}`)
const byProgram = await dear
  .resolve((_, id, __, properties) => `${id}=${properties.get('price')?.value}`)
  .toArray()
console.log(`Projected by the program: ${byProgram}`)

// No class is needed to change a property, or to add one.
const rows = account.table(name)
for await (const row of rows.query().where({ partitionKey: 'lamps' })) {
  const price = row.get('price')?.as('Double') ?? 0
  if (price >= 80) await rows.merge(row.set('onSale', true))
}
const sale = rows.query().where({ partitionKey: 'lamps', onSale: true })
console.log(`On sale: ${(await sale.toArray()).map((row) => row.rowKey)}`)
const dearest = await items.get(['lamps', '04'])
await items.replace(Object.assign(dearest, { price: 99 }))
const kept = await rows.get(['lamps', '04'])
console.log(`Replaced by a class that does not know of it: onSale is ${kept.get('onSale')?.value}`)

await items.dropIfExists()
await account.close()
