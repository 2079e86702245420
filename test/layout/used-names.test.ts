import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { documents } from '../../scripts/snippets.ts'
import { packageNames, root, sourceFiles } from './source-files.ts'

/** Packages that have the names of other libraries; and the beta, whose tables are classes that only `on` makes. */
const LEFT_OUT: readonly string[] = ['azure-entities', 'data-tables', 'patterns']

const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')

/** The run-time names that the index of a package exports. */
function exportedNames(name: string): readonly string[] {
  const file = ts.createSourceFile('index.ts', read(`packages/${name}/src/index.ts`), 99)
  return file.statements.flatMap((statement) => {
    if (!ts.isExportDeclaration(statement) || statement.isTypeOnly) return []
    const { exportClause } = statement
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return []
    return exportClause.elements.flatMap((each) => (each.isTypeOnly ? [] : [each.name.text]))
  })
}

/** What users read, and the samples. */
const pages = documents().filter((page) => !page.startsWith('docs/project/'))
const samples = readdirSync(`${root}examples`)
  .filter((name) => /^\d/.test(name))
  .map((name) => `examples/${name}/main.ts`)
const shown = wordsOf([...pages, ...samples].map(read))

/** What the other packages use. A name that one only exports again is not used. */
const usedBeside = (name: string) =>
  wordsOf(
    sourceFiles
      .filter((file) => file.package !== name)
      .map(({ text }) => text.replace(/^export (?:type )?\{[^}]*\} from .*$/gm, '')),
  )

function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []))
}

describe.each(packageNames.filter((name) => !LEFT_OUT.includes(name)))(
  'the index of %s',
  (name) => {
    it('exports only what a page, a sample or another package uses', () => {
      const used = usedBeside(name)
      const unused = exportedNames(name).filter((each) => !shown.has(each) && !used.has(each))
      expect(unused, 'remove it from the index, or export its type only').toEqual([])
    })
  },
)

it('an unused name is found', () => {
  expect(exportedNames('rowkey')).toContain('connect')
  expect(shown.has('connect')).toBe(true)
  expect(shown.has('noPageHasThisName')).toBe(false)
})
