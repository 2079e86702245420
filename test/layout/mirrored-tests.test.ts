import { existsSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { packageNames, root, type SourceFile, sourceFiles } from './source-files.ts'

/** An export of what another file has. */
const PASSED_ON = /^export (?:\*|\{[^}]*\})[^;]* from .*;$/gm

/** Tells whether a file has code that runs. A file of types, or of what other files export, needs no test of its own. */
const holdsCode = ({ text, path }: SourceFile): boolean =>
  path !== 'index.ts' &&
  transformSync(text, { loader: 'ts' }).code.replaceAll(PASSED_ON, '').trim() !== ''

/** The folders below `src/` that contain code directly: `edm`, or `.` for the root. */
const codeFolders = (name: string): readonly string[] => [
  ...new Set(
    sourceFiles
      .filter((file) => file.package === name && holdsCode(file))
      .map(({ path }) => dirname(path)),
  ),
]

/** The test files below `test/<name>/`. */
const testsOf = (name: string): readonly string[] =>
  readdirSync(`${root}test/${name}`, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.test.ts'),
  )

/** The sources of a package that contain code. */
const codeOf = (name: string): readonly string[] =>
  sourceFiles.filter((file) => file.package === name && holdsCode(file)).map(({ path }) => path)

/** The folders below `test/<name>/` that contain a test file directly. */
const testedFolders = (name: string): ReadonlySet<string> =>
  new Set(testsOf(name).map((path) => dirname(path)))

/**
 * Of the sources of a package with code, this share or more has a test of its own name. The aim is 0.85. The command, the mapper and the
 * patterns stay below it: what is left there are parts of a few lines, and pieces of one act, such as the steps of a write or of a pulled
 * model. Tests reach these through the call that takes all steps; a test of one step would repeat that of the call.
 */
const SHARES: Readonly<Record<string, number>> = {
  'azure-entities': 0.94,
  cli: 0.8,
  'data-tables': 0.89,
  local: 0.92,
  mapper: 0.78,
  odata: 0.91,
  patterns: 0.8,
  query: 0.89,
  rest: 0.85,
  rowkey: 0.86,
  studio: 1,
}

/** All other tests are named after a source. These tell what several sources do together: crashes, kills, faults, races, recordings, costs. */
const STORIES: Readonly<Record<string, readonly string[]>> = {
  'azure-entities': [],
  cli: [
    'processes/kills.test.ts',
    'processes/pulled-models.test.ts',
    'processes/reports.test.ts',
    'target/flavour.test.ts',
    'transfer/export-import.test.ts',
  ],
  'data-tables': [],
  local: [
    'access/guard-agreement.test.ts',
    'cosmos.test.ts',
    'durable/crash.test.ts',
    'durable/engine-log.test.ts',
    'durable/folder-and-memory.test.ts',
    'durable/full-disk.test.ts',
    'durable/lock-folder.test.ts',
    'durable/missing-folder.test.ts',
    'durable/remove-rows.test.ts',
    'durable/restart.test.ts',
    'durable/row-text.test.ts',
    'http/listener-fuzz.test.ts',
    'http/unicode.test.ts',
    'msw/table-handlers-msw.test.ts',
    'replay/azure.test.ts',
    'replay/azurite.test.ts',
    'replay/cosmos.test.ts',
  ],
  mapper: [
    'bulk/faults.test.ts',
    'bulk/journal/journal.test.ts',
    'bulk/journal/kills.test.ts',
    'crypto/algorithms.test.ts',
    'encryption/encrypted-forms.test.ts',
    'inherited-names.test.ts',
    'key-parts.test.ts',
    'lossless.test.ts',
    'options/invented-option.test.ts',
    'requests.test.ts',
    'rows/pending-reads.test.ts',
    'rows/query-defaults.test.ts',
    'schema/libraries.test.ts',
    'schema/random-schemas.test.ts',
    'schema/series.test.ts',
    'snapshot/findings.test.ts',
    'snapshot/histories.test.ts',
    'snapshot/history-findings.test.ts',
    'snapshot/late-writes.test.ts',
    'table/admin/create-and-drop.test.ts',
    'table/budget-of-runs.test.ts',
    'table/kept-rows.test.ts',
    'table/retry-of-runs.test.ts',
    'table/rows-of-other-types.test.ts',
    'table/writes.test.ts',
    'union/union-within.test.ts',
    'versions/rolling-deployment.test.ts',
    'versions/self-mapped-versions.test.ts',
    'versions/signed-versions.test.ts',
    'web/crypto/algorithms.test.ts',
    'writes/delete-if-exists.test.ts',
    'writes/exact-writes.test.ts',
    'writes/extra-options.test.ts',
    'writes/many-stored-rows.test.ts',
    'writes/pending-writes.test.ts',
  ],
  odata: [],
  patterns: [
    'classes.test.ts',
    'copies/arguments.test.ts',
    'cosmos.test.ts',
    'derived/deployments.test.ts',
    'derived/histories.test.ts',
    'ended-calls.test.ts',
    'idempotency.test.ts',
    'index-entities.test.ts',
    'indexes/arguments.test.ts',
    'indexes/index-costs.test.ts',
    'indexes/lifetime.test.ts',
    'indexes/random-writes.test.ts',
    'kept-costs.test.ts',
    'large-values/arguments.test.ts',
    'lost-responses.test.ts',
    'options/invented-option.test.ts',
    'outbox/arguments.test.ts',
    'outbox/clocks.test.ts',
    'outbox/outbox-workers.test.ts',
    'periods/arguments.test.ts',
    'primary-reads.test.ts',
    'recipes.test.ts',
    'rows/declarations.test.ts',
    'spread.test.ts',
    'summaries/arguments.test.ts',
    'together.test.ts',
    'wide/arguments.test.ts',
    'within.test.ts',
    'worker/many-workers.test.ts',
    'worker/queue-arguments.test.ts',
    'worker/worker-arguments.test.ts',
    'write-paths.test.ts',
  ],
  query: ['differential.test.ts', 'injection.test.ts', 'three-ways.test.ts'],
  rest: [
    'aborted-calls.test.ts',
    'fault-proxy.test.ts',
    'hostile-responses.test.ts',
    'http/fetch-transport-msw.test.ts',
    'lost-responses-on-sockets.test.ts',
    'lost-responses.test.ts',
    'operations/if-exists.test.ts',
    'recordings.test.ts',
    'simulation/linearizability.test.ts',
    'xml/missing-parser.test.ts',
  ],
  rowkey: [
    'aborted-queries.test.ts',
    'address-book.test.ts',
    'bad-input.test.ts',
    'checks-left-to-the-service.test.ts',
    'command/serve-examples.test.ts',
    'cosmos.test.ts',
    'entries/entries.test.ts',
    'error-stacks.test.ts',
    'failover.test.ts',
    'geo-replication.test.ts',
    'other-clients.test.ts',
    'projection.test.ts',
    'service-client.test.ts',
    'transient-errors.test.ts',
    'two-copies.test.ts',
  ],
  studio: [],
}

/** Tells whether a file of tests has the name of a source, of a script of the page, or of a helper beside it. */
const isNamed = (name: string, test: string): boolean => {
  const own = test.replace(/\.test\.ts$/, '.ts')
  return [`packages/${name}/src`, `packages/${name}`, `test/${name}`].some((folder) =>
    existsSync(`${root}${folder}/${own}`),
  )
}

describe('tests', () => {
  it.each(packageNames)('mirror every source folder of %s that contains code', (name) => {
    const tested = testedFolders(name)
    const folders = codeFolders(name)
    expect(folders).not.toEqual([])
    expect(folders.filter((folder) => !tested.has(folder))).toEqual([])
  })

  it.each(Object.entries(SHARES))('of %s are named after their sources: %d of 1', (name, share) => {
    const sources = codeOf(name)
    const hasTest = (path: string) => existsSync(`${root}test/${name}/${path.slice(0, -3)}.test.ts`)
    expect(sources.filter(hasTest).length / sources.length).toBeGreaterThanOrEqual(share)
  })

  it.each(Object.entries(STORIES))(
    'of %s have the name of a source, or tell a known story',
    (name, stories) => {
      expect(
        testsOf(name)
          .filter((test) => !isNamed(name, test))
          .toSorted(),
      ).toEqual(stories)
    },
  )
})
