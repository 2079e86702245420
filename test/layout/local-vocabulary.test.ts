import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { placeOf, root, sourceFiles } from './source-files.ts'

/** The parts of rest that send. The embedded service shares the vocabulary of rest, but never sends. */
const SENDS =
  /^\.\/(?:operations|transaction|paging|retry|perform|table-service|http\/.*-transport\.ts)/

const parse = (text: string) => ts.createSourceFile('x.ts', text, ts.ScriptTarget.ESNext)

/** The public names of rest whose code sends. */
function sendingNames(): ReadonlySet<string> {
  const names = new Set<string>()
  const index = parse(readFileSync(`${root}packages/rest/src/index.ts`, 'utf8'))
  for (const statement of index.statements) {
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) continue
    const { exportClause, moduleSpecifier } = statement
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) continue
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) continue
    if (!SENDS.test(moduleSpecifier.text)) continue
    for (const { isTypeOnly, name } of exportClause.elements) if (!isTypeOnly) names.add(name.text)
  }
  return names
}

/** The values that a file imports from rest. */
const importedFromRest = (text: string) =>
  parse(text).statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement)) return []
    const { importClause, moduleSpecifier } = statement
    if (!ts.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== '@rowkey/rest') return []
    const names = importClause?.namedBindings
    if (importClause?.isTypeOnly || names === undefined || !ts.isNamedImports(names)) return []
    return names.elements.flatMap((one) =>
      one.isTypeOnly ? [] : [(one.propertyName ?? one.name).text],
    )
  })

describe('the embedded service', () => {
  it('imports the vocabulary of rest, and nothing that sends', () => {
    const sending = sendingNames()
    expect([...sending]).toContain('perform')
    const breaches = sourceFiles
      .filter((file) => file.package === 'local')
      .flatMap((file) =>
        importedFromRest(file.text)
          .filter((name) => sending.has(name))
          .map((name) => `${placeOf(file)} imports ${name}`),
      )
    expect(breaches).toEqual([])
  })
})
