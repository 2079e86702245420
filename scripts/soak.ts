/**
 * Does the memory of the embedded service stay flat? Writes, reads, queries and deletes a bounded number
 * of rows; one operation in a hundred fails. After each interval it collects garbage and prints the
 * size of the heap.
 *
 *     npm run tool soak -- [operations] [in-process | http]
 */
import { localTableService, seededRandom } from '@rowkey/local'
import {
  createTable,
  deleteEntity,
  findEntity,
  insertOrReplaceEntity,
  perform,
  queryEntities,
  tableService,
  undiciTransport,
} from '@rowkey/rest'

const ROWS = 1000
const INTERVALS = 10
const MEBIBYTE = 2 ** 20

const operations = Number(process.argv[2] ?? 1_000_000)
const overHttp = process.argv[3] === 'http'
const collect =
  globalThis.gc ??
  (() =>
    console.error(
      'Run this with `npm run tool soak`: the figures mean nothing without --expose-gc.',
    ))

const random = seededRandom(1)
const local = localTableService({ random })
const listener = await local.listen({ port: 0 })
const transport = overHttp ? undiciTransport() : local.transport
const service = tableService({
  connectionString: overHttp ? listener.connectionString : local.connectionString(),
  transport,
  sleep: async () => {},
})
await perform(service, createTable, { table: 'soak' })
local.faults.add({ probability: 0.01, fault: { kind: 'rejection', code: 'ServerBusy' } })

const keyOf = () => ({ partitionKey: 'p', rowKey: String(Math.floor(random() * ROWS)) })

async function operate(): Promise<void> {
  const key = keyOf()
  const of = { table: 'soak', key }
  const choice = random()
  if (choice < 0.5) {
    const body = JSON.stringify({
      PartitionKey: key.partitionKey,
      RowKey: key.rowKey,
      text: 'x'.repeat(200),
    })
    await perform(service, insertOrReplaceEntity, { ...of, body })
  } else if (choice < 0.9) await perform(service, findEntity, of)
  else if (choice < 0.99) {
    const filter = `PartitionKey eq 'p' and RowKey ge '${key.rowKey}'`
    await perform(service, queryEntities, { table: 'soak', filter, top: 10 })
  } else {
    // A missing row is a normal response of the service, not a failure of this program.
    await perform(service, deleteEntity, { ...of, body: '', etag: '*' }).catch(() => {})
  }
}

const heap = () => {
  collect()
  return process.memoryUsage().heapUsed / MEBIBYTE
}

const sizes: number[] = []
for (let interval = 1; interval <= INTERVALS; interval += 1) {
  for (let count = 0; count < operations / INTERVALS; count += 1) await operate()
  sizes.push(heap())
  const done = Math.round((operations * interval) / INTERVALS)
  console.log(`${done} operations: ${sizes.at(-1)?.toFixed(1)} MiB on the heap`)
}
// The first two intervals fill tables, logs and caches.
const [base = 0] = sizes.slice(2)
const growth = (sizes.at(-1) ?? 0) - base
console.log(`growth after the second interval: ${growth.toFixed(2)} MiB`)

await transport.close?.()
await local.close()
