import { isRowkeyError } from '@rowkey/odata'
import { Records } from '../../packages/local/src/durable/records.ts'

/** Run in a process of its own: opens a store when told to, says what came of it, and keeps it open. */
const [, , folder = ''] = process.argv
// Made ready first, so that all who are to open it at once can be told to at once.
process.stdout.write('ready\n')
await new Promise((resolve) => process.stdin.once('data', resolve))
try {
  await Records.open(folder)
  process.stdout.write('opened\n')
} catch (error) {
  process.stdout.write(`${isRowkeyError(error) ? error.code : error}\n`)
}
