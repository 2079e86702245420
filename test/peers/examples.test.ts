import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Service } from './service.ts'
import { startAzurite } from './start-azurite.ts'

const root = join(import.meta.dirname, '../..')
const examples = readdirSync(join(root, 'examples')).filter((name) => /^\d/.test(name))
/** Why an example cannot run on Azurite. */
const deviations: Readonly<Record<string, string>> = {
  '10-address-book': 'Azurite rejects batches with a SAS of a stored access policy',
}
let azurite: Service

beforeAll(async () => {
  azurite = await startAzurite()
})

afterAll(() => azurite.close())

it.each(examples.filter((name) => deviations[name] === undefined))(
  '%s prints on Azurite what it prints on the embedded service',
  async (name) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', 'tsx', `examples/${name}/main.ts`],
      {
        cwd: root,
        env: {
          ...process.env,
          TSX_TSCONFIG_PATH: join(root, 'examples/tsconfig.json'),
          TABLES: azurite.connectionString,
        },
        timeout: 60_000,
      },
    )
    expect(stdout).toBe(readFileSync(join(root, 'examples', name, 'expected.txt'), 'utf8'))
  },
)

it.skip.each(Object.entries(deviations))('%s: %s', () => {})
