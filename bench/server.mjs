/** What does one operation cost in the embedded service, compared with Azurite? See README.md. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { machine, recordTable } from './report.mjs'
import { measure, operations, startFilled } from './server/cost.mjs'
import { measureCurve } from './server/curve.mjs'
import { serviceNames } from './server/services.mjs'
import { measureStartUp } from './server/start-up.mjs'
import { costTable, curveTable, startUpTable } from './server/tables.mjs'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    slices: { type: 'string', default: '15' },
    starts: { type: 'string', default: '9' },
    sizes: { type: 'string', default: '2000,20000,200000,2000000' },
    seconds: { type: 'string', default: '240' },
    record: { type: 'boolean', default: false },
  },
})
const slices = Number(options.slices)
const sizes = options.sizes.split(',').map(Number)
/** The time limit for filling one table, in milliseconds. */
const limit = Number(options.seconds) * 1000

// Ends the services when this process exits; a signal alone would skip that.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))

async function measureCosts() {
  const targets = []
  try {
    for (const name of serviceNames) targets.push(await fillOne(name))
    const samples = {}
    for (const [operation, requests] of Object.entries(operations)) {
      samples[operation] = await measure(targets, requests, slices)
      console.error(operation)
    }
    return samples
  } finally {
    for (const target of targets) await target.stop()
  }
}

async function fillOne(name) {
  const target = await startFilled(name, Number(options.rows), limit)
  if (target === undefined) throw new Error(`${name} was not filled within ${limit} ms`)
  return target
}

const starts = await measureStartUp(serviceNames, Number(options.starts))
const costs = await measureCosts()
const curves = {}
for (const name of serviceNames) {
  curves[name] = await measureCurve(name, { sizes, limit, slices: Math.ceil(slices / 3) })
}

const folder = new URL('results/', import.meta.url)
mkdirSync(folder, { recursive: true })
writeFileSync(
  new URL('server.json', folder),
  JSON.stringify({ machine: machine(), starts, costs, curves }),
)
const text = [
  `${machine()}, median of ${slices} slices`,
  costTable(serviceNames, costs),
  startUpTable(serviceNames, starts),
  curveTable(serviceNames, curves),
].join('\n\n')
if (options.record) recordTable('record:server', text)
console.log(text)
