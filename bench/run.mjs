/** What does one operation cost in each client? See README.md. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { startClient, startService } from './processes.mjs'
import { machine, median, ratioTable, recordTable, titleOf } from './report.mjs'

const { values: options } = parseArgs({
  options: {
    clients: { type: 'string', default: 'floor,rowkey,data-tables' },
    operations: { type: 'string' },
    generations: { type: 'string', default: '3' },
    slices: { type: 'string', default: '5' },
    milliseconds: { type: 'string', default: '250' },
    verify: { type: 'boolean', default: false },
    record: { type: 'boolean', default: false },
  },
})
const milliseconds = Number(options.milliseconds)

/** An operation, how many run at once, and the CPU for compiling its code before it is measured. */
const matrix = [
  ...['get', 'insert', 'upsertMerge', 'delete'].map((name) => [name, [1, 32], 1500]),
  ['batch100', [1, 32], 500],
  ['queryPage1000', [1, 32], 500],
  ['queryAll10k', [1], 500],
].filter(([name]) => options.operations?.split(',').includes(name) ?? true)

/** Measures one cell on all clients in turn; the order rotates from slice to slice. */
async function measureCell(clients, cell) {
  const counts = new Map()
  for (const client of clients) {
    const { cost } = await client.do('warm', { cell, milliseconds })
    counts.set(client, Math.max(cell.concurrency * 2, 3, Math.ceil((milliseconds * 1000) / cost)))
  }
  const samples = []
  for (let slice = 0; slice < Number(options.slices); slice++) {
    const costs = {}
    for (let turn = 0; turn < clients.length; turn++) {
      const client = clients[(turn + slice) % clients.length]
      costs[client.name] = (await client.do('measure', { cell, count: counts.get(client) })).cost
    }
    samples.push({ cell, costs })
  }
  return samples
}

/** All operations in new processes, so that no single start of the compiler decides the result. */
async function measureGeneration(endpoint, adapters) {
  const clients = []
  for (const adapter of adapters) clients.push(await startClient(adapter, endpoint))
  for (const client of clients) {
    for (const [operation, , warmUp] of matrix) {
      await client.do('warm', { cell: { operation, concurrency: 16 }, milliseconds: warmUp })
    }
  }
  const samples = []
  for (const [operation, concurrencies] of matrix) {
    for (const concurrency of concurrencies) {
      const cell = { operation, concurrency }
      const measured = await measureCell(clients, cell)
      samples.push(...measured)
      const costs = clients.map(({ name }) => {
        const cost = median(measured.map((sample) => sample.costs[name]))
        return `${name} ${cost.toFixed(1)}`
      })
      console.error(`${titleOf(cell)}: CPU µs ${costs.join(', ')}`)
    }
  }
  for (const client of clients) client.stop()
  return { samples, names: clients.map(({ name }) => name) }
}

async function measureAll(endpoint, adapters) {
  const samples = []
  let names = []
  for (let generation = 0; generation < Number(options.generations); generation++) {
    const measured = await measureGeneration(endpoint, adapters)
    samples.push(...measured.samples)
    names = measured.names
  }
  const folder = new URL('results/', import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL('latest.json', folder), JSON.stringify({ machine: machine(), samples }))
  const slices = Number(options.generations) * Number(options.slices)
  const title = `${machine()}, median of ${slices} slices`
  const table = `${title}\n\n${ratioTable(samples, names, names[0])}`
  if (options.record) recordTable('record', table)
  console.log(table)
}

async function verifyAll(endpoint, adapters) {
  for (const adapter of adapters) {
    const client = await startClient(adapter, endpoint)
    const { faults } = await client.do('verify')
    console.log(`${client.name}: ${faults.length === 0 ? 'whole and right' : faults.join('; ')}`)
    if (faults.length > 0) process.exitCode = 1
    client.stop()
  }
}

const service = await startService()
try {
  await (options.verify ? verifyAll : measureAll)(service.endpoint, options.clients.split(','))
} finally {
  service.stop()
}
