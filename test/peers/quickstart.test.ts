import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

const root = join(import.meta.dirname, '../..')
let azurite: Service

beforeAll(async () => {
  azurite = await startAzurite()
})

afterAll(() => azurite.close())

it('the quickstart prints on Azurite what it prints on the embedded service', async () => {
  const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'quickstart'], {
    cwd: root,
    env: { ...process.env, TABLES: azurite.connectionString },
  })
  expect(stdout).toBe(readFileSync(join(root, 'examples/01-quickstart/expected.txt'), 'utf8'))
})
