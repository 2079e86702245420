// Runs commands of @rowkey/cli, by the command of `rowkey` and by its own, against the service in TABLES.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'

const run = promisify(execFile)
const env = { ...process.env, ROWKEY_TARGET: process.env.TABLES }

/** Runs a command; what it prints, and what it says on the other stream, must match. */
async function must(line, pattern) {
  const [command, ...args] = line.split(' ')
  const { stdout, stderr } = await run(command, args, { env })
  const printed = `${stdout}\n${stderr}`
  if (!pattern.test(printed)) throw new Error(`${line} printed:\n${printed}`)
}

const rows = Array.from({ length: 250 }, (_, n) => ({
  PartitionKey: `city-${n % 3}`,
  RowKey: `person-${n}`,
  points: String(2n ** 60n + BigInt(n)),
  'points@odata.type': 'Edm.Int64',
}))
writeFileSync('people.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'))

await must('rowkey import people people.ndjson --create', /250/)
await must('rowkey-cli tables', /people/)
await must('rowkey get people city-1 person-1 --json', /1152921504606846977/)
await must('rowkey count people --partition city-1', /83/)
await must('rowkey export people copy.csv', /./)
if (readFileSync('copy.csv', 'utf8').trim().split('\n').length !== 251)
  throw new Error('copy.csv must have a heading and 250 rows.')
await must('rowkey import people copy.csv --on-existing skip', /250/)
await must('rowkey pull people', /points.*Int64|Int64.*points/s)
console.log('the program of the package runs')
