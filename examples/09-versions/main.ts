/**
 * Reads last year's rows with this year's model. Writes them in the new version one by one, or all at
 * once.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/09-versions/main.ts
 */
import { connect, upgradeTable } from 'rowkey'
import { OldOrder, Order } from './orders.ts'

const account = connect(process.env.TABLES ?? 'memory:')
// A new name, so that your own tables stay untouched.
const name = `orders${Date.now()}`
const old = account.table(OldOrder, name)
await old.create()
for (const orderNo of [1, 2, 3]) {
  await old.insert({ customerId: 'c1', orderNo, total: `${orderNo * 10}.50 EUR` })
}

const orders = account.table(Order, name)
const first = await orders.get({ customerId: 'c1', orderNo: 1 })
console.log(`Read with this year's model: ${first.amount} ${first.currency}`)

first.paid = true
await orders.replace(first)

async function report(step: string): Promise<void> {
  console.log(step)
  for await (const row of account.table(name).query().where({ partitionKey: 'c1' })) {
    const shown = [...row.properties].map(([property, { value }]) => `${property} ${value}`)
    console.log(`  ${row.rowKey}: ${shown.sort().join(', ')}`)
  }
}
await report('One order was paid, and is now stored in the new version:')

const { read, upgraded } = await upgradeTable(orders)
console.log(`Upgraded ${upgraded} of ${read}`)
await report('All orders are now stored in the new version:')

await orders.drop()
await account.close()
