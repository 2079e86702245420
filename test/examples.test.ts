import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startLocalService } from '@rowkey/local'
import { describe, expect, it } from 'vitest'
import { writePrograms } from '../scripts/snippets.ts'

const root = join(import.meta.dirname, '..')
const examples = readdirSync(join(root, 'examples')).filter((name) => /^\d/.test(name))

async function run(file: string, tables?: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', 'tsx', join(root, file)],
    {
      cwd: root,
      env: {
        ...process.env,
        TSX_TSCONFIG_PATH: join(root, 'examples/tsconfig.json'),
        ...(tables === undefined ? {} : { TABLES: tables }),
      },
      timeout: 60_000,
    },
  )
  return stdout
}

describe.each(examples)('examples/%s', (name) => {
  const expected = readFileSync(join(root, 'examples', name, 'expected.txt'), 'utf8')

  it('prints what it should on the embedded service in process', async () => {
    expect(await run(`examples/${name}/main.ts`)).toBe(expected)
  }, 60_000)

  it('prints the same on the embedded service over HTTP', async () => {
    const service = await startLocalService({ port: 0 })
    try {
      expect(await run(`examples/${name}/main.ts`, service.connectionString)).toBe(expected)
    } finally {
      await service.close()
    }
  }, 60_000)
})

describe('the snippets of a document', () => {
  it.each(writePrograms().map((file) => file.slice(root.length + 1)))(
    'run in reading order: %s',
    async (file) => {
      await expect(run(file)).resolves.toBeTypeOf('string')
    },
    60_000,
  )
})
