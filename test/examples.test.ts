import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { startLocalService } from '@rowkey/local'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildPrograms } from '../scripts/built-programs.ts'
import { writePrograms } from '../scripts/snippets.ts'

const root = join(import.meta.dirname, '..')
const examples = readdirSync(join(root, 'examples')).filter((name) => /^\d/.test(name))

/** The requirements that examples are the proof of. */
const proofs: Readonly<Record<string, string>> = {
  '02-key-parts': 'R-174: examples/02-key-parts',
  '04-customers': 'R-170: examples/04-customers',
  '05-employees': 'R-49, R-171: examples/05-employees',
  '06-online-store': 'R-97, R-172: examples/06-online-store',
  '07-gamer-score': 'R-50, R-173: examples/07-gamer-score',
  '08-table-basics': 'R-178: examples/08-table-basics',
  '10-address-book': 'R-169: examples/10-address-book',
  '11-metrics': 'R-175: examples/11-metrics',
  '12-key-value': 'R-176: examples/12-key-value',
}

const mainOf = (name: string) => `examples/${name}/main.ts`
const snippets = writePrograms().map((file) => relative(root, file).replaceAll('\\', '/'))
const built = await buildPrograms([...examples.map(mainOf), ...snippets])

/** Runs a program and returns what it prints. */
async function run(program: string, tables?: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [built(program)], {
    cwd: root,
    env: { ...process.env, ...(tables === undefined ? {} : { TABLES: tables }) },
    timeout: 60_000,
  })
  return stdout
}

const titled = examples.map((name) => [proofs[name] ?? `examples/${name}`, name] as const)

describe.each(titled)('%s', (_, name) => {
  const expected = readFileSync(join(root, 'examples', name, 'expected.txt'), 'utf8')

  it('prints what it should on the embedded service in process', async () => {
    expect(await run(mainOf(name))).toBe(expected)
  })

  it('prints the same on the embedded service over HTTP', async () => {
    const service = await startLocalService({ port: 0 })
    try {
      expect(await run(mainOf(name), service.connectionString)).toBe(expected)
    } finally {
      await service.close()
    }
  })
})

/** Imports programs one after another. Prints what each printed or how it failed, beside what they write to the output themselves. */
const IMPORT_EACH = `
  import { format } from 'node:util'
  const print = console.log
  const results = []
  for (const program of process.argv.slice(1)) {
    const lines = []
    console.log = (...values) => lines.push(...format(...values).split('\\n'))
    const failure = await import(program).then(() => undefined, (error) => format(error))
    results.push({ lines, failure })
  }
  print('results: ' + JSON.stringify(results))
`

interface Printed {
  readonly lines: readonly string[]
  readonly failure?: string
}

describe('the snippets of a document', () => {
  const printed = new Map<string, Printed>()

  // In one process, which loads the packages once. It ends by itself, unless a snippet leaves something open.
  beforeAll(async () => {
    const programs = snippets.map((file) => pathToFileURL(built(file)).href)
    const args = ['--input-type=module', '--eval', IMPORT_EACH, ...programs]
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: root,
      timeout: 60_000,
    })
    const [, results = '[]'] = /^results: (.*)$/m.exec(stdout) ?? []
    for (const [index, result] of JSON.parse(results).entries()) {
      printed.set(snippets[index] ?? '', result)
    }
  })

  it.each(snippets)('run in reading order and print what their remarks say: %s', (file) => {
    expect(printed.get(file)?.failure).toBeUndefined()
    expect(printed.get(file)?.lines).toEqual(expect.arrayContaining(remarks(file)))
  })
})

/** What a program says it prints: the remark behind each console.log. */
function remarks(file: string): string[] {
  const program = readFileSync(join(root, file), 'utf8')
  return [...program.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm)].map((line) => line[1] ?? '')
}
