/**
 * A key and value class of azure-entities, in two versions. The program of the next version reads the rows of the one
 * before, and stores a row in its own form when it changes it.
 *
 *     npx tsx --tsconfig examples/tsconfig.json examples/12-key-value/main.ts
 */
import { connect } from 'rowkey'
import { KeyValue1, KeyValue2 } from './key-value.ts'

const { TABLES } = process.env
const tableName = `keyvalue${Date.now()}`
// The tables in memory belong to `@rowkey/azure-entities`, which all its classes share.
const credentials = TABLES === undefined ? 'inMemory' : { connectionString: TABLES }
const Before = KeyValue1.setup({ tableName, credentials })
const After = KeyValue2.setup({ tableName, credentials })

await Before.ensureTable()
await Before.create({ key: 'release', value: { StringDate: '2015-09-01T03:47:24.883Z' } })
await Before.create({ key: 'review', value: { StringDate: '2016-01-02T00:00:00Z' } })

const release = await After.load({ key: 'release' })
console.log(`Migrated when it is read: ${release.key} on ${release.date.toISOString()}`)
await release.modify(function () {
  this.date = new Date('2017-01-01T00:00:00Z')
})
console.log(`Stored by modify: ${(await After.load({ key: 'release' })).date.toISOString()}`)

await After.scan(null, {
  handler: ({ key, date, _version }) =>
    console.log(`  ${key} on ${date.toISOString()}, stored in version ${_version}`),
})
try {
  await Before.load({ key: 'release' })
} catch (error) {
  if (!(error instanceof Error)) throw error
  console.log(`A program of version 1: ${error.name}`)
}

// The rows are plain rows for any other client.
if (TABLES !== undefined) {
  const row = await connect(TABLES).table(tableName).get(['release', 'kv-pair'])
  if (row.get('Version')?.value !== 2) throw new Error('The row should have version 2.')
}
await After.removeTable()
