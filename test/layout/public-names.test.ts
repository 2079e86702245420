import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { packageNames, root } from './source-files.ts'

/** The exports of an entry point, one name on each line; types are marked. */
function publicNames(name: string, entry = 'index'): readonly string[] {
  const text = readFileSync(`${root}packages/${name}/src/${entry}.ts`, 'utf8')
  const file = ts.createSourceFile('index.ts', text, ts.ScriptTarget.ESNext)
  return file.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement)) return []
    const { exportClause, isTypeOnly, moduleSpecifier } = statement
    if (exportClause === undefined && isTypeOnly)
      return [`* of ${moduleSpecifier?.getText(file)} (type)`]
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return ['*']
    return exportClause.elements.map((element) =>
      isTypeOnly || element.isTypeOnly ? `${element.name.text} (type)` : element.name.text,
    )
  })
}

describe('public names', () => {
  it.each(packageNames)('of %s change only on purpose', async (name) => {
    const names = [...publicNames(name)].sort()
    await expect(`${names.join('\n')}\n`).toMatchFileSnapshot(`public-names/${name}.txt`)
  })

  it.each([
    ['mapper', 'other-clients'],
    ['rest', 'testing'],
    ['rowkey', 'encryption'],
    ['rowkey', 'other-clients'],
    ['rowkey', 'testing'],
  ])('of %s/%s change on purpose only', async (name, entry) => {
    const names = [...publicNames(name, `entries/${entry}`)].sort()
    await expect(`${names.join('\n')}\n`).toMatchFileSnapshot(`public-names/${name}-${entry}.txt`)
  })

  it.each(packageNames)('of %s are listed one by one, but for types of other packages', (name) => {
    expect(publicNames(name)).not.toContain('*')
    expect(publicNames(name).length).toBeGreaterThan(0)
  })
})
