import { isRowkeyError } from '@rowkey/odata'
import { Records } from '../../packages/local/src/durable/records.ts'

/** Runs in its own process: opens a store on a signal, prints the result, and keeps the store open. */
const [, , folder = ''] = process.argv
// Waits, so that several processes can open the store at the same moment.
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
try {
  await Records.open(folder)
  process.stdout.write('opened\n')
} catch (error) {
  process.stdout.write(`${isRowkeyError(error) ? error.code : error}\n`)
}
