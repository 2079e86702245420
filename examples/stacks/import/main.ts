import { connect } from 'rowkey'
import { importReadings } from './import-readings.ts'
import { Reading } from './reading.ts'

// node import/main.js readings.csv readings.journal
const [, , csv = '', journal = ''] = process.argv
await using account = connect(process.env.TABLES ?? 'UseDevelopmentStorage=true')
const readings = account.table(Reading)
await readings.createIfNotExists()

const { done, resumed, failed } = await importReadings(readings, csv, journal, (progress) => {
  const { done, rate, remaining = 0 } = progress
  console.log(`${done} rows, ${Math.round(rate)} a second, ${Math.round(remaining / 1000)} s left`)
})
console.log(`${done} rows are stored, ${resumed} of them by an earlier run; ${failed} failed`)
