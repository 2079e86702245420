import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageNames, root } from './source-files.ts'

/** One wrong import for each rule: a file and its text. */
const wrongs: Readonly<Record<string, readonly [file: string, text: string]>> = {
  'no-missing-file': ['odata/src/lost.ts', "import './nowhere.ts'"],
  'no-ring': [
    'odata/src/ring.ts',
    "import type { Other } from './other.ts'\nexport type Ring = Other",
  ],
  'by-package-name': ['query/src/deep.ts', "import '../../odata/src/other.ts'"],
  'index-is-for-others': ['odata/src/inner.ts', "import './index.ts'"],
  'no-undeclared-dependency': ['rest/src/undeclared.ts', "import 'undeclared'"],
  'runs-anywhere': ['mapper/src/node-only.ts', "import 'node:fs'"],
  'rest-runs-anywhere-but-for-its-twins': ['rest/src/web/x.ts', "import 'node:fs'"],
  'odata-arrow': ['odata/src/up.ts', "import '@rowkey/rest'"],
  'rest-arrow': ['rest/src/up.ts', "import '@rowkey/mapper'"],
  'query-arrow': ['query/src/up.ts', "import '@rowkey/rest'"],
  'mapper-arrow': ['mapper/src/up.ts', "import '@rowkey/local'"],
  'azure-entities-arrow': ['azure-entities/src/up.ts', "import '@rowkey/mapper'"],
  'data-tables-arrow': ['data-tables/src/up.ts', "import '@rowkey/mapper'"],
  'cli-arrow': ['cli/src/up.ts', "import '@rowkey/local'"],
  'studio-arrow': ['studio/src/up.ts', "import '@rowkey/local'"],
  'local-arrow': ['local/src/up.ts', "import '@rowkey/mapper'"],
  'patterns-arrow': ['patterns/src/up.ts', "import '@rowkey/local'"],
  'odata-errors-are-leaves': ['odata/src/errors/x-error.ts', "import '../edm/x.ts'"],
  'odata-edm-stands-alone': ['odata/src/edm/x.ts', "import '../filter/x.ts'"],
  'odata-entity-knows-no-filter': ['odata/src/entity/x.ts', "import '../filter/x.ts'"],
  'rest-errors-are-leaves': ['rest/src/errors/x-error.ts', "import '../operations/x.ts'"],
  'rest-http-is-the-ground': ['rest/src/http/x.ts', "import '../sign/x.ts'"],
  'rest-sign-knows-http-only': ['rest/src/sign/x.ts', "import '../operations/y.ts'"],
  'rest-operations-are-pure': ['rest/src/operations/x.ts', "import '../perform.ts'"],
  'rest-retry-knows-no-call': ['rest/src/retry/x.ts', "import '../operations/y.ts'"],
  'rest-transaction-knows-no-operation': [
    'rest/src/transaction/x.ts',
    "import '../operations/y.ts'",
  ],
  'rest-rooms-know-no-front-page': ['rest/src/observe/x.ts', "import '../perform.ts'"],
  'query-says-before-it-runs': ['query/src/compile/x.ts', "import '../run/x.ts'"],
  'query-run-is-below-its-callers': ['query/src/run/y.ts', "import '../read/x.ts'"],
  'mapper-decorators-only-record': ['mapper/src/decorators/x.ts', "import '../table/table.ts'"],
  'mapper-model-knows-no-table': ['mapper/src/model/x.ts', "import '../table/table.ts'"],
  'mapper-codec-knows-no-table': ['mapper/src/codec/x.ts', "import '../table/table.ts'"],
  'mapper-rows-only-read': ['mapper/src/rows/x.ts', "import '../table/table.ts'"],
  'mapper-keepers-send-nothing': ['mapper/src/keep/x.ts', "import '../table/table.ts'"],
  'mapper-writes-know-no-table': ['mapper/src/writes/x.ts', "import '../table/table.ts'"],
  'local-runs-anywhere-but-for-its-twins': ['local/src/entity/x.ts', "import 'node:fs'"],
  'local-needs-node-behind-two-doors': ['local/src/service/x.ts', "import '../http/listener.ts'"],
  'local-store-is-the-ground': ['local/src/store/x.ts', "import '../http/x.ts'"],
  'local-operations-hear-no-socket': ['local/src/operations/x.ts', "import '../http/listener.ts'"],
}

/** Correct files that the wrong imports resolve to. */
const targets: Readonly<Record<string, string>> = {
  'odata/src/other.ts': "import type { Ring } from './ring.ts'\nexport type Other = Ring | 1",
  'odata/src/filter/x.ts': 'export {}',
  'rest/src/perform.ts': 'export {}',
  'rest/src/operations/y.ts': 'export {}',
  'query/src/run/x.ts': 'export {}',
  'query/src/read/x.ts': 'export {}',
  'mapper/src/table/table.ts': 'export {}',
  'local/src/http/x.ts': 'export {}',
  'local/src/http/listener.ts': 'export {}',
}

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
  readonly cycle?: readonly { readonly name: string }[]
}

function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** Runs the rules of this workspace on a folder with the same structure. */
function violationsIn(folder: string): readonly Violation[] {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      ...['--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json', 'packages'],
    ],
    { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 },
  )
  expect(stderr).toBe('')
  return JSON.parse(stdout).summary.violations
}

const paths = Object.fromEntries(
  packageNames.map((name) => [
    name === 'rowkey' ? name : `@rowkey/${name}`,
    [`./packages/${name}/src/index.ts`],
  ]),
)

/** The minimum of this workspace's structure: six packages and how to find them. */
const workspace: Readonly<Record<string, string>> = {
  'node_modules/undeclared/package.json': JSON.stringify({ name: 'undeclared', main: 'index.js' }),
  'node_modules/undeclared/index.js': '',
  'tsconfig.base.json': JSON.stringify({ compilerOptions: { paths } }),
  ...Object.fromEntries(
    packageNames.flatMap((name) => [
      [`packages/${name}/package.json`, JSON.stringify({ name, type: 'module' })],
      [`packages/${name}/src/index.ts`, 'export {}'],
    ]),
  ),
}

describe('the import rules', () => {
  let folder: string
  let found: readonly Violation[]

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rowkey-layout-'))
    writeTree(folder, workspace)
    expect(violationsIn(folder)).toEqual([])
    writeTree(join(folder, 'packages'), targets)
    writeTree(join(folder, 'packages'), Object.fromEntries(Object.values(wrongs)))
    found = violationsIn(folder)
  })

  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(Object.keys(wrongs))('catch a breach of %s', (rule) => {
    const path = `packages/${wrongs[rule]?.[0]}`
    const breaches = found.filter(
      ({ from, cycle = [] }) => from === path || cycle.some(({ name }) => name === path),
    )
    expect(breaches.map((breach) => breach.rule.name)).toContain(rule)
  })

  it('are all tested here', async () => {
    const { default: rules } = await import(join(root, '.dependency-cruiser.mjs'))
    const names = rules.forbidden.map((rule: { readonly name: string }) => rule.name)
    expect([...Object.keys(wrongs), 'rowkey-arrow'].sort()).toEqual(names.sort())
  })
})
