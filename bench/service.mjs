/**
 * What does one operation cost in the embedded service alone? Requests are signed before the measurement,
 * and go to the service in this process as a client's would.
 *
 *   npm run build && npm --prefix bench run service    # --operations get,insert --slices 5 for less
 *   npm --prefix bench run record:service              # updates the table in the README
 */
import { createHmac, createSecretKey } from 'node:crypto'
import { parseArgs } from 'node:util'
import { localTableService } from '@rowkey/local'
import { entities, KEY } from './fixture.mjs'
import { withTypes, writeEntity } from './floor/entity-json.mjs'
import { machine, median, recordTable, row } from './report.mjs'
import { operations } from './server/cost.mjs'
import { batches, createTable, insertBatch } from './server/requests.mjs'

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    slices: { type: 'string', default: '45' },
    operations: { type: 'string', default: Object.keys(operations).join() },
    record: { type: 'boolean', default: false },
  },
})
const names = options.operations.split(',')
const rows = Number(options.rows)

const local = localTableService()

/** The request as the client's transport passes it to the service. */
function inProcess({ method, path: target, headers: list, body }) {
  const [path, query = ''] = target.split('?')
  const headers = {}
  for (let at = 0; at < list.length; at += 2) headers[list[at]] = list[at + 1]
  return { method, origin: 'http://localhost', path, query, headers, body }
}

async function send(requests) {
  for (const request of requests) {
    const { status, body } = await local.transport(request)
    const isFailure = status >= 300 || /^HTTP\/1\.1 [45]/m.test(body.slice(0, 1000))
    if (isFailure) throw new Error(`${request.method} ${request.path}: ${status} ${body}`)
  }
}

/** CPU microseconds of one call, including garbage collection and compilation. */
async function costOf(count, act) {
  const start = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / count
}

async function costOfOperation({ requests, undo }) {
  const prepared = requests(rows).map(inProcess)
  const cost = await costOf(prepared.length, () => send(prepared))
  if (undo !== undefined) await send(undo().map(inProcess))
  return cost
}

/** What no service avoids, and what never changes: a signature, and a body parsed and printed. */
const body = writeEntity(withTypes(entities[0]))
const key = createSecretKey(KEY, 'base64')
const REFERENCES = 2000
const costOfReference = () =>
  costOf(REFERENCES, () => {
    for (let at = 0; at < REFERENCES; at++) {
      createHmac('sha256', key).update(body).digest('base64')
      JSON.stringify(JSON.parse(body))
    }
  })

await send([createTable(), ...Array.from(batches(0, rows), insertBatch)].map(inProcess))

/** JavaScript engines compile code that runs often. */
const WARM_UPS = 12
const samples = Object.fromEntries(names.map((name) => [name, []]))
for (const name of names) {
  for (let slice = -WARM_UPS; slice < Number(options.slices); slice++) {
    const reference = await costOfReference()
    const cost = await costOfOperation(operations[name])
    if (slice >= 0) samples[name].push({ cost, ratio: cost / reference })
  }
}
await local.close()

const cells = (what, digits) =>
  names.map((name) => median(samples[name].map((sample) => sample[what])).toFixed(digits))
const text = [
  `${machine()}, median of ${options.slices} slices\n`,
  row(['', ...names]),
  row(['---', ...names.map(() => '--:')]),
  row(['CPU µs', ...cells('cost', 1)]),
  row(['times the reference', ...cells('ratio', 2)]),
].join('\n')
if (options.record) recordTable('record:service', text)
console.log(text)
