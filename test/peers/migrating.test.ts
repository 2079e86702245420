import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import * as dataTables from '@azure/data-tables'
import { startLocalService } from '@rowkey/local'
import { describe, expect, it } from 'vitest'
import { library } from './azure-entities-library.ts'
import { declaredMethods } from './call-watch.ts'

const require = createRequire(import.meta.url)
const page = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8')

/** The part of a page below a heading. */
function section(text: string, heading: string): string {
  const [, after = ''] = text.split(`\n${heading}\n`)
  return after.split('\n## ')[0] ?? ''
}

/** The names that a text does not show in code font. */
const unnamed = (text: string, names: readonly string[]) => {
  const code = Array.from(text.matchAll(/`+([^`]+)`+/g), ([, span]) => span ?? '').join(' ')
  return names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))
}

const methodsOf = (holder: object, isMethod: (name: string) => boolean = () => true) =>
  Object.entries(Object.getOwnPropertyDescriptors(holder))
    .filter(([name, { value }]) => typeof value === 'function' && /^[a-z]/.test(name))
    .map(([name]) => name)
    .filter((name) => name !== 'constructor' && isMethod(name))

describe('the pages for those who move name', () => {
  it('every method of @azure/data-tables, and its functions', () => {
    const declarations = join(dirname(require.resolve('@azure/data-tables')), '../esm')
    const methods = ['TableClient', 'TableServiceClient'].flatMap((name) =>
      declaredMethods(name, readFileSync(join(declarations, `${name}.d.ts`), 'utf8')),
    )
    const names = methods.map((method) => method.split('.')[1] ?? '')
    expect(names.length).toBeGreaterThan(15)
    const functions = Object.entries(dataTables)
      .filter(([, value]) => typeof value === 'function')
      .map(([name]) => name)
      .filter((name) => !name.startsWith('Known'))
    const own = section(page('migrating.md'), '## Call by call')
    expect(unnamed(own, [...names, ...functions])).toEqual([])
  })

  it('every method of azure-storage', () => {
    const { TableService, TableQuery, TableBatch, TableUtilities } = require('azure-storage')
    const inherited = new Set([
      'getAccountServiceProperties',
      'setAccountServiceProperties',
      'parseMetadataHeaders',
      'performRequest',
      'performRequestInputStream',
      'performRequestOutputStream',
    ])
    const names = [
      ...methodsOf(TableService.prototype),
      ...methodsOf(Object.getPrototypeOf(TableService.prototype), (name) => !inherited.has(name)),
      ...methodsOf(TableQuery.prototype),
      ...methodsOf(TableQuery),
      ...methodsOf(TableBatch.prototype, (name) => !/Entity$/.test(name)),
      ...Object.keys(TableUtilities.entityGenerator),
    ]
    expect(names.length).toBeGreaterThan(45)
    expect(
      unnamed(section(page('azure-storage.md'), '## Every method of azure-storage'), names),
    ).toEqual([])
  })
})

it('docs/azure-entities.md names every method of azure-entities', () => {
  const names = [
    ...methodsOf(library),
    ...methodsOf(library.prototype, (name) => name !== 'inspect'),
    ...Object.keys(library.keys),
  ]
  expect(names.length).toBeGreaterThan(15)
  expect(unnamed(page('azure-entities.md'), names)).toEqual([])
})

describe('docs/azure-storage.md', () => {
  const blocks = (language: string) =>
    Array.from(
      section(page('azure-storage.md'), '## A program, moved').matchAll(
        new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'),
      ),
      ([, block]) => block,
    ).join('\n')

  it("the old program prints what Rowkey's program prints", async () => {
    const printed = Array.from(
      blocks('ts').matchAll(/console\.log\(.*\) \/\/ (.*)$/gm),
      ([, remark]) => remark,
    )
    const service = await startLocalService({ port: 0 })
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', blocks('js')], {
      cwd: import.meta.dirname,
      env: { ...process.env, TABLES: service.connectionString },
    })
    await service.close()
    expect(stdout.trim().split('\n')).toEqual(printed)
    expect(printed.length).toBeGreaterThan(5)
  })
})
