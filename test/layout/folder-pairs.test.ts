import { dirname, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageNames, type SourceFile, sourceFiles } from './source-files.ts'

/** The files that a file imports, types included, from `src/`. */
function importsOf({ path, text }: SourceFile): readonly string[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g)
  return Array.from(specifiers, ([, specifier = '']) => normalize(`${dirname(path)}/${specifier}`))
}

/** The two folders that an import connects: those below the last folder that both files are in. `undefined` for a file of that folder. */
function edgeOf(from: string, to: string): readonly [string, string] | undefined {
  const [here, there] = [from.split('/'), to.split('/')]
  const depth = here.findIndex((part, index) => part !== there[index])
  if (depth >= here.length - 1 || depth >= there.length - 1) return undefined
  return [here.slice(0, depth + 1).join('/'), there.slice(0, depth + 1).join('/')]
}

/** `a b` for each pair of folders of a package that import each other, at any depth. */
function pairsOf(files: readonly SourceFile[]): readonly string[] {
  const edges = new Set<string>()
  for (const file of files) {
    for (const imported of importsOf(file)) {
      const edge = edgeOf(file.path, imported)
      if (edge !== undefined) edges.add(edge.join(' '))
    }
  }
  return [...edges]
    .filter((edge) => {
      const [from = '', to = ''] = edge.split(' ')
      return from < to && edges.has(`${to} ${from}`)
    })
    .sort()
}

const file = (path: string, text: string): SourceFile => ({ package: 'rest', path, text })

describe('folders', () => {
  it.each(packageNames)('of %s do not import each other', (name) => {
    const files = sourceFiles.filter((one) => one.package === name)
    expect(pairsOf(files)).toEqual([])
  })
})

describe('the rule for folders', () => {
  it('finds a pair, also of types and of lazy imports', () => {
    const there = file('sign/a.ts', "import type { B } from '../sas/b.ts'")
    const back = file('sas/b.ts', "const a = await import('../sign/a.ts')")
    expect(pairsOf([there, back])).toEqual(['sas sign'])
    expect(pairsOf([there])).toEqual([])
  })

  it('finds a pair inside a folder', () => {
    const there = file('table/keep/a.ts', "import { b } from '../read/deep/b.ts'")
    const back = file('table/read/deep/b.ts', "import { a } from '../../keep/a.ts'")
    expect(pairsOf([there, back])).toEqual(['table/keep table/read'])
  })

  it('ignores files of a folder that both are in, and files of one folder', () => {
    const root = file('perform.ts', "import { b } from './sas/b.ts'")
    const folder = file('sas/b.ts', "import { p } from '../perform.ts'\nimport { c } from './c.ts'")
    expect(pairsOf([root, folder])).toEqual([])
    const above = file('table/table.ts', "import { a } from './keep/a.ts'")
    const below = file('table/keep/a.ts', "import { t } from '../table.ts'")
    expect(pairsOf([above, below])).toEqual([])
  })
})
