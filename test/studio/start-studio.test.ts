import { startStudio } from '@rowkey/studio'
import { expect, it } from 'vitest'
import { openTables } from '../cli/with-tables.ts'

const facts = { account: 'devstoreaccount1', place: 'here', target: [], isWritable: false }

it('listens on a free port, and prints an address with a token', async () => {
  await using tables = await openTables()
  const { account } = tables
  const { signal } = new AbortController()
  const studio = await startStudio({ account, facts, port: 0, signal })
  expect(studio.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}$/)
  await studio.close()
})

it('rejects a module without models before it sends anything', async () => {
  await using tables = await openTables()
  const { account } = tables
  const settings = { account, facts, port: 0, signal: AbortSignal.abort() }
  const models = { path: 'models.ts', exports: { n: 1 } }
  await expect(startStudio({ ...settings, models })).rejects.toThrow('models.ts exports no model.')
})
