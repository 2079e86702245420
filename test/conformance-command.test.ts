import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { localTableService } from '@rowkey/local'
import { DEVELOPMENT_KEY } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { jsonOf, ServiceClient } from './conformance/service-client.ts'

async function conformance(address: string): Promise<{ code: number; printed: string }> {
  const run = spawn(process.execPath, ['--import', 'tsx', 'scripts/conformance.ts', address], {
    env: { ...process.env, NO_COLOR: '1' },
  })
  let printed = ''
  const keep = (chunk: Buffer): void => {
    printed += chunk
  }
  run.stdout.on('data', keep)
  run.stderr.on('data', keep)
  const [code] = await once(run, 'close')
  return { code, printed }
}

it('npm run tool conformance reports every scenario on an account, and leaves no table there', async () => {
  const local = localTableService()
  const { connectionString } = await local.listen({ port: 0 })
  try {
    const { code, printed } = await conformance(connectionString)
    expect(printed).toMatch(/Tests +\d+ passed \| 2 skipped/)
    expect(printed).toContain("it replaces the account's CORS rules")
    expect(printed).not.toContain(DEVELOPMENT_KEY)
    expect(code).toBe(0)
    const client = new ServiceClient(connectionString, local.transport)
    expect(jsonOf(await client.send('GET', '/Tables')).value).toEqual([])
  } finally {
    await local.close()
  }
})

it('npm run tool conformance without an account says what to set', async () => {
  const { code, printed } = await conformance('')
  expect(code).toBe(1)
  expect(printed).toContain('AZURE_STORAGE_CONNECTION_STRING')
})
