/** The programs that `types.mjs` compiles: the same work on the same entities, written for each client. */

const numbers = (count) => Array.from({ length: count }, (_, index) => String(index + 1))

/** Classes with decorators. */
export function rowkeyClasses(count) {
  const entities = numbers(count).map(
    (no) => `
@Entity('orders${no}')
class Order${no} {
  @PartitionKey() customer!: string
  @RowKey() id!: string
  @Int64() points?: bigint
  @Double() price = 0
  @DateTime() since?: Date
  active = false
  note?: string
  @StoreAs('c') city = ''
  @ETag() etag?: string
}
export async function use${no}() {
  const table = account.table(Order${no})
  await table.insert(Object.assign(new Order${no}(), { customer: 'a', id: 'b', price: 5 }))
  const order = await table.get(['a', 'b'])
  order.points = 5n
  await table.merge(order)
  const query = table.query().where((row) => row.customer.eq('a').and(row.points.gt(5n)))
  for await (const row of query.select('points', 'city')) console.log(row.points, row.city)
  await table.delete(order)
}`,
  )
  return `import { connect, DateTime, Double, Entity, ETag, Int64, PartitionKey, RowKey, StoreAs } from 'rowkey'
const account = connect('memory:')
${entities.join('\n')}`
}

/** Models with schemas. */
export function rowkeySchemas(count) {
  const entities = numbers(count).map(
    (no) => `
const Order${no} = defineEntity({
  name: 'orders${no}',
  partitionKey: key\`\${'customer'}\`,
  rowKey: key\`\${'id'}\`,
  schema: z.object({
    customer: z.string(), id: z.string(), points: z.bigint().optional(), price: z.number(), since: z.date().optional(),
    active: z.boolean().default(false), note: z.string().optional(), city: z.string(),
  }),
  etag: 'etag',
  storeAs: { city: 'c' },
})
export async function use${no}() {
  const table = account.table(Order${no})
  await table.insert({ customer: 'a', id: 'b', price: 5, city: '' })
  const order = await table.get({ customer: 'a', id: 'b' })
  order.points = 5n
  await table.merge(order)
  const query = table.query().where((row) => row.customer.eq('a').and(row.points.gt(5n)))
  for await (const row of query.select('points', 'city')) console.log(row.points, row.city)
  await table.delete(order)
}`,
  )
  return `import { connect, defineEntity, key } from 'rowkey'
import { z } from 'zod'
const account = connect('memory:')
${entities.join('\n')}`
}

const useOfDataTables = (no) => `
export async function use${no}() {
  const table = new TableClient('https://a.table.core.windows.net', 'orders${no}', credential)
  await table.createEntity<Order${no}>({ partitionKey: 'a', rowKey: 'b', price: 5, active: false, c: '' })
  const order = await table.getEntity<Order${no}>('a', 'b')
  order.points = 5n
  await table.updateEntity(order, 'Merge', { etag: order.etag })
  const filter = odata\`PartitionKey eq \${'a'} and points gt \${5n}\`
  const rows = table.listEntities<Order${no}>({ queryOptions: { filter, select: ['points', 'c'] } })
  for await (const row of rows) console.log(row.points, row.c)
  await table.deleteEntity(order.partitionKey, order.rowKey, { etag: order.etag })
}`

const headOfDataTables = `import { AzureNamedKeyCredential, odata, TableClient } from '@azure/data-tables'
const credential = new AzureNamedKeyCredential('a', 'b')
`

/** Interfaces, which are all that the official client knows. */
export function dataTables(count) {
  const entities = numbers(count).map(
    (no) => `
interface Order${no} {
  partitionKey: string
  rowKey: string
  points?: bigint
  price: number
  since?: Date
  active: boolean
  note?: string
  c: string
}
${useOfDataTables(no)}`,
  )
  return headOfDataTables + entities.join('\n')
}

/** The same with a schema for each entity, which checks what is written. */
export function dataTablesSchemas(count) {
  const entities = numbers(count).map(
    (no) => `
const schema${no} = z.object({
  partitionKey: z.string(), rowKey: z.string(), points: z.bigint().optional(), price: z.number(),
  since: z.date().optional(), active: z.boolean().default(false), note: z.string().optional(), c: z.string(),
})
type Order${no} = z.infer<typeof schema${no}>
${useOfDataTables(no)}`,
  )
  return `import { z } from 'zod'\n${headOfDataTables}${entities.join('\n')}`
}
