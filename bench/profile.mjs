/** Where the time of one operation goes in each client, by V8's sampler. See README.md. */
import { parseArgs } from 'node:util'
import { startClient, startService } from './processes.mjs'
import { machine, median, recordTable, row } from './report.mjs'
import { PARTS } from './sampler.mjs'

const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: 'floor,rowkey' },
    operations: {
      type: 'string',
      default: 'get,insert,upsertMerge,delete,batch100,queryPage1000,queryAll10k',
    },
    rounds: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '400' },
    functions: { type: 'string', default: '0' },
    record: { type: 'boolean', default: false },
  },
})
const milliseconds = Number(options.milliseconds)

/** Profiles the clients in turn. Resolves to a row of the table for each. */
async function rowsOf(clients, operation) {
  const cell = { operation, concurrency: operation === 'queryAll10k' ? 1 : 32 }
  const counts = new Map()
  for (const client of clients) {
    await client.do('warm', { cell, milliseconds: 1500 })
    const { cost } = await client.do('warm', { cell, milliseconds })
    counts.set(client, Math.max(cell.concurrency * 2, 3, Math.ceil((milliseconds * 1000) / cost)))
  }
  const rounds = []
  for (let round = 0; round < Number(options.rounds); round++) {
    const results = []
    for (const client of clients) {
      results.push(await client.do('profile', { cell, count: counts.get(client) }))
    }
    rounds.push(results)
  }
  return clients.map(({ name }, index) => {
    const parts = PARTS.map((part) =>
      median(
        rounds.map(
          (results) => (results[index].cost * results[index].shares[part]) / results[0].cost,
        ),
      ),
    )
    const total = median(rounds.map((results) => results[index].cost / results[0].cost))
    printFunctions(`${name} ${operation}`, rounds.at(-1)[index].functions)
    return row([operation, name, ...[...parts, total].map((value) => value.toFixed(2))])
  })
}

function printFunctions(title, functions) {
  const most = Number(options.functions)
  if (most === 0) return
  console.error(title)
  for (const [name, share] of functions.slice(0, most)) {
    console.error(`  ${(share * 100).toFixed(1).padStart(5)} % ${name}`)
  }
}

const service = await startService()
try {
  const clients = []
  for (const adapter of options.clients.split(',')) {
    clients.push(await startClient(adapter, service.endpoint))
  }
  const rows = []
  for (const operation of options.operations.split(',')) {
    rows.push(...(await rowsOf(clients, operation)))
  }
  for (const client of clients) client.stop()
  const titles = ['operation', 'client', ...PARTS, 'total']
  const head = [row(titles), row(['---', '---', ...titles.slice(2).map(() => '--:')])]
  const table = `${machine()}\n\n${[...head, ...rows].join('\n')}`
  if (options.record) recordTable('record:profile', table)
  console.log(table)
} finally {
  service.stop()
}
