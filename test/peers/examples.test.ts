import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildPrograms } from '../../scripts/built-programs.ts'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

const root = join(import.meta.dirname, '../..')
const examples = readdirSync(join(root, 'examples')).filter((name) => /^\d/.test(name))
/** Why an example cannot run on Azurite. */
const deviations: Readonly<Record<string, string>> = {
  '10-address-book': 'Azurite rejects batches with a SAS of a stored access policy',
}
const mainOf = (name: string) => `examples/${name}/main.ts`
const built = await buildPrograms(examples.map(mainOf), 'peers')
let azurite: Service

beforeAll(async () => {
  azurite = await startAzurite()
})

afterAll(() => azurite.close())

it.each(examples.filter((name) => deviations[name] === undefined))(
  '%s prints on Azurite what it prints on the embedded service',
  async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [built(mainOf(name))], {
      cwd: root,
      env: { ...process.env, TABLES: azurite.connectionString },
      timeout: 60_000,
    })
    expect(stdout).toBe(readFileSync(join(root, 'examples', name, 'expected.txt'), 'utf8'))
  },
)

it.skip.each(Object.entries(deviations))('%s: %s', () => {})
