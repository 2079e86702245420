/**
 * Customers and their orders in one table, so that one query reads both and one batch writes both.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/06-online-store/main.ts
 */
import { connect, DecodeError, DynamicEntity, union } from 'rowkey'
import { Customer, Order } from './store.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const name = `store${Date.now()}`
const store = account.table(name, union(Customer, Order))
await store.create()

await store
  .batch()
  .insert({ customerId: 'c1', name: 'Jeff Price' })
  .insert({ customerId: 'c1', orderNo: 7, total: 19.5 })
  .insert({ customerId: 'c1', orderNo: 12, total: 5 })
  .insert({ customerId: 'c1', orderNo: 13, total: 8.25 })
  .insert({ customerId: 'c1', orderNo: 104, total: 30 })
  .submit()

console.log('Each row as its own type:')
for await (const row of store.query().where({ customerId: 'c1' })) {
  if ('orderNo' in row) console.log(`  order ${row.orderNo}: ${row.total}, ${row.status}`)
  else console.log(`  customer ${row.name}`)
}

const orders = store.ofType(Order).query().where({ customerId: 'c1' })
console.log(`Only orders: ${orders.explain().filter}`)
for await (const order of orders) {
  order.status = 'sent'
  await store.merge(order) // sends only the status
}

// A resolver maps each row to any value. This one rejects unknown types.
const totals = store
  .query()
  .where({ customerId: 'c1' })
  .resolve((_, rowKey, __, properties) => {
    if (rowKey.startsWith('0001_')) return 0
    if (rowKey.startsWith('0002_')) return properties.get('total')?.as('Double') ?? 0
    throw new TypeError(`Unknown entity type detected! RowKey: ${rowKey}`)
  })
const sum = (await totals.toArray()).reduce((one, other) => one + other, 0)
console.log(`Total of all orders: ${sum}`)

await account
  .table(name)
  .insert(new DynamicEntity('c1', '0003_x', { note: 'from another program' }))
try {
  await store.query().where({ customerId: 'c1' }).toArray()
} catch (error) {
  if (!(error instanceof DecodeError)) throw error
  console.log(`A row of another type: ${error.code} at ${error.details.rowKey}`)
}
try {
  await account
    .table(name)
    .query()
    .where({ partitionKey: 'c1' })
    .resolve((_, rowKey) => {
      if (rowKey.startsWith('0003_')) throw new TypeError(`unknown type of ${rowKey}`)
    })
    .toArray()
} catch (error) {
  if (!(error instanceof DecodeError)) throw error
  console.log(`And in a resolver: ${error.code} at ${error.details.rowKey}`)
}
const all = account.table(name, union(Customer, Order, { unknown: 'dynamic' }))
const others = (await all.query().where({ customerId: 'c1' }).toArray()).filter(
  (row) => row instanceof DynamicEntity,
)
console.log(`With unknown: 'dynamic', its note: ${others.map((row) => row.get('note')?.value)}`)

await store.drop()
await account.close()
