/**
 * What does one operation cost with `connect('memory:')`? Client and service run in this process; nothing is sent.
 *
 *   npm run build && npm --prefix bench run embedded      # prints the table
 *   npm --prefix bench run record:embedded                # and puts it into the README
 */
import { parseArgs } from 'node:util'
import { connect } from 'rowkey'
import { Point } from './adapters/point.mjs'
import { entities } from './fixture.mjs'
import { machine, median, recordTable, row } from './report.mjs'

const { values: options } = parseArgs({
  options: {
    slices: { type: 'string', default: '15' },
    count: { type: 'string', default: '10000' },
    record: { type: 'boolean', default: false },
  },
})
const count = Number(options.count)

const account = connect('memory:')
const points = account.table(Point)
await points.create()
const made = (index) =>
  Object.assign(new Point(), entities[index % entities.length], { rowKey: `row-${index}` })

let inserted = 0
const operations = {
  insert: () => points.insert(made(inserted++)),
  get: (index) => points.get(['department-017', `row-${index}`]),
  insertOrMerge: (index) => points.insertOrMerge(made(index)),
}

/** CPU microseconds of one operation, one at a time. */
async function costOf(operation) {
  const start = process.cpuUsage()
  for (let index = 0; index < count; index++) await operation(index)
  const { user, system } = process.cpuUsage(start)
  return (user + system) / count
}

const costs = Object.fromEntries(Object.keys(operations).map((name) => [name, []]))
for (let slice = 0; slice <= Number(options.slices); slice++) {
  for (const [name, operation] of Object.entries(operations)) {
    const cost = await costOf(operation)
    if (slice > 0) costs[name].push(cost) // the first compiles the code
  }
}
const names = Object.keys(operations)
const table = [
  row(['', ...names]),
  row(['---', ...names.map(() => '--:')]),
  row(['CPU µs', ...names.map((name) => median(costs[name]).toFixed(1))]),
].join('\n')
const text = `${machine()}, median of ${options.slices} slices of ${count.toLocaleString('en')}\n\n${table}`
if (options.record) recordTable('record:embedded', text)
console.log(text)
await account.close()
