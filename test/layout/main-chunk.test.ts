import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { transform } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { deepImports } from '../../scripts/build/deep-imports.ts'
import { root } from './source-files.ts'

const STATIC = /^(?:import|export) (?:[^"']*? from )?["']([^"']+)["'];?$/gm

/** Lists the files that are loaded together with some files: a bundler puts them into one chunk. */
async function loadedWith(entries: readonly string[]): Promise<readonly string[]> {
  const files = new Set(entries.map((entry) => join(root, 'packages', entry)))
  for (const file of files) {
    const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts' })
    for (const [, specifier = ''] of deepImports(code).matchAll(STATIC)) {
      const imported = pathOf(specifier, file)
      if (imported !== undefined) files.add(imported)
    }
  }
  return [...files].map((file) => relative(join(root, 'packages'), file))
}

function pathOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier)
  const [, name, file] = /^@rowkey\/([\w-]+)\/(?:modules|platform)\/(.+)$/.exec(specifier) ?? []
  return name && file && join(root, 'packages', name, 'src', `${file}.ts`)
}

/** Few programs need these files, so they are loaded with the first call that does. */
const ON_DEMAND = [
  'mapper/src/bulk/bulk-engine.ts',
  'mapper/src/encryption/value-seal.ts',
  'mapper/src/keys/find-key-format.ts',
  'mapper/src/keys/formatted-part.ts',
  'mapper/src/signing/signed-codec.ts',
  'mapper/src/table/admin/xml-calls.ts',
  'mapper/src/table/keep/kept-sender.ts',
  'mapper/src/table/keep/path-source.ts',
  'mapper/src/table/write/modify-entity.ts',
  'mapper/src/union/union-table.ts',
  'query/src/key/key-lowering.ts',
  'query/src/parallel/parallel-rows.ts',
  'query/src/read/for-each-row.ts',
  'query/src/read/query-pages.ts',
  'query/src/run/page-position.ts',
  'rest/src/exact/perform-exactly.ts',
  'rest/src/operations/entity-group-transaction.ts',
  'rest/src/service-properties/service-properties-xml.ts',
  'rest/src/transaction/decode-change-set.ts',
  'rest/src/transaction/percent-keys.ts',
  'rest/src/xml/parse-xml.ts',
]

describe('the main chunk of a program', () => {
  const program = loadedWith([
    'rowkey/src/connect.ts',
    'mapper/src/decorators/entity.ts',
    'mapper/src/decorators/system-property.ts',
  ])

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
