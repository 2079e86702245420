import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadedWith, mainLine, mainLineGroups, partsOf } from '../../scripts/build/main-line.ts'
import { twinsOf } from '../../scripts/build/web-twin.ts'
import { root } from './source-files.ts'

/** Few programs need these files, so they are loaded with the first call that does. */
const ON_DEMAND = [
  'mapper/src/bulk/bulk-engine.ts',
  'mapper/src/bulk/bulk-error.ts',
  'mapper/src/bulk/write-buffer.ts',
  'mapper/src/decorators/rule-checks.ts',
  'mapper/src/encryption/value-seal.ts',
  'mapper/src/keys/find-key-format.ts',
  'mapper/src/keys/formatted-part.ts',
  'mapper/src/member/value-chunks.ts',
  'mapper/src/signing/signing-keys.ts',
  'mapper/src/snapshot/after-write.ts',
  'mapper/src/table/admin/admin-calls.ts',
  'mapper/src/table/admin/xml-calls.ts',
  'mapper/src/table/keep/kept-sender.ts',
  'mapper/src/table/keep/path-source.ts',
  'mapper/src/table/operation/check-operation.ts',
  'mapper/src/table/raw/raw-runs.ts',
  'mapper/src/table/read/live-row.ts',
  'mapper/src/table/read/read-errors.ts',
  'mapper/src/table/read/run-queries.ts',
  'mapper/src/table/write/bulk-table.ts',
  'mapper/src/table/write/change-operations.ts',
  'mapper/src/table/write/modify-entity.ts',
  'mapper/src/table/write/reload-entity.ts',
  'mapper/src/table/write/send-changes.ts',
  'mapper/src/union/union-table.ts',
  'odata/src/edm/base64-url.ts',
  'odata/src/errors/unreadable-row.ts',
  'odata/src/filter/evaluate-filter.ts',
  'odata/src/filter/parse-filter.ts',
  'odata/src/filter/query-digest.ts',
  'odata/src/paging/token-trail.ts',
  'query/src/concurrency/results-in-order.ts',
  'query/src/key/key-lowering.ts',
  'query/src/node/row-test.ts',
  'query/src/parallel/parallel-rows.ts',
  'query/src/read/for-each-row.ts',
  'query/src/read/query-pages.ts',
  'query/src/read/query-rows.ts',
  'query/src/read/ways-to-run.ts',
  'query/src/run/row-reader.ts',
  'query/src/run/run-pages.ts',
  'rest/src/endpoint/check-storage.ts',
  'rest/src/exact/perform-exactly.ts',
  'rest/src/http/cors-advice.ts',
  'rest/src/observe/call-watch.ts',
  'rest/src/operations/entity-group-transaction.ts',
  'rest/src/operations/insert-entity.ts',
  'rest/src/operations/query-entities.ts',
  'rest/src/paging/query-text.ts',
  'rest/src/reconcile/entity-reconciliation.ts',
  'rest/src/reconcile/reconcile-entity.ts',
  'rest/src/response/authentication-advice.ts',
  'rest/src/response/checked-entity.ts',
  'rest/src/response/service-error.ts',
  'rest/src/retry/remedies.ts',
  'rest/src/retry/witness.ts',
  'rest/src/sas/sas-parameters.ts',
  'rest/src/sas/sas-scope.ts',
  'rest/src/service-properties/service-properties-xml.ts',
  'rest/src/sign/access-tokens.ts',
  'rest/src/sign/web-key.ts',
  'rest/src/transaction/change-set-part.ts',
  'rest/src/transaction/decode-change-set.ts',
  'rest/src/transaction/encode-change-set.ts',
  'rest/src/transaction/percent-keys.ts',
  'rest/src/xml/parse-xml.ts',
]

describe('the main chunk of a program', () => {
  const program = mainLine()

  it('has the files of a read and a write', async () => {
    const files = await program
    expect(files).toContain('rest/src/operations/get-entity.ts')
    expect(files).toContain('mapper/src/codec/class-codec.ts')
  })

  it.each(ON_DEMAND)('does not have %s', async (file) => {
    expect(existsSync(join(root, 'packages', file))).toBe(true)
    expect(await program).not.toContain(file)
  })
})

describe('the file of the build with the main line of a package', () => {
  it.each(['odata', 'query', 'rest', 'mapper'])(
    'of %s imports no twin that imports it',
    async (name) => {
      const [belowTwins] = await mainLineGroups(name, await mainLine())
      const twins = twinsOf(name).flatMap((path) => [
        `${name}/src/${path}.ts`,
        `${name}/src/web/${path}.ts`,
      ])
      const below = (await mainLine()).filter((file) =>
        belowTwins?.test(join(root, 'packages', file)),
      )
      const imported = (await loadedWith(below)).filter((file) => twins.includes(file))
      // A twin that imports none of them cannot import the file in return.
      const loaded = await Promise.all(imported.map((file) => loadedWith([file])))
      expect(loaded.flat().filter((file) => below.includes(file))).toEqual([])
    },
  )
})

const packageOf = (file: string) => file.split('/')[0]

describe('the parts that are loaded on demand', () => {
  const program = mainLine()
  const parts = program.then(async (main) => {
    const paths = await partsOf(main)
    return Promise.all(paths.map(async (path) => ({ path, files: await loadedWith([path]) })))
  })

  it('are found', async () => {
    expect((await parts).length).toBeGreaterThan(20)
  })

  // A bundler makes one chunk of two files when the same parts load them. A main line loads those below it.
  it.each([
    ['odata', ['rest', 'mapper']],
    ['query', ['mapper']],
  ])('import no file of the main line of %s without one of %j', async (lower, upper) => {
    const main = await program
    const separating = (await parts).filter(({ files }) => {
      const packages = files.filter((file) => main.includes(file)).map(packageOf)
      return packages.includes(lower) && !upper.some((name) => packages.includes(name))
    })
    expect(separating.map(({ path }) => path)).toEqual([])
  })

  // A bundler compresses each chunk alone, so a part that shares only one half of them costs 1 kB.
  it.each(['rest', 'mapper'])(
    'import no file below the twins of %s without a file of its main line',
    async (name) => {
      const [below, line] = await mainLineGroups(name, await program)
      const splitting = (await parts).filter((part) => {
        const files = part.files.map((file) => join(root, 'packages', file))
        const upper = files.filter((file) => line?.test(file) && !below?.test(file))
        return files.some((file) => below?.test(file)) && upper.length === 0
      })
      expect(splitting.map(({ path }) => path)).toEqual([])
    },
  )
})
