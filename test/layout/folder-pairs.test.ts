import { dirname, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packageNames, type SourceFile, sourceFiles } from './source-files.ts'

/** The first folder of a path below `src/`; `undefined` for a file at the root. */
const roomOf = (path: string): string | undefined =>
  path.includes('/') ? path.slice(0, path.indexOf('/')) : undefined

/** The folders that a file imports, types included. */
function importedRooms({ path, text }: SourceFile): readonly (string | undefined)[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g)
  return Array.from(specifiers, ([, specifier = '']) =>
    roomOf(normalize(`${dirname(path)}/${specifier}`)),
  )
}

/** `a b` for each pair of folders of a package that import each other. */
function pairsOf(files: readonly SourceFile[]): readonly string[] {
  const imports = new Set<string>()
  for (const file of files) {
    const room = roomOf(file.path)
    for (const other of importedRooms(file)) {
      if (room !== undefined && other !== undefined) imports.add(`${room} ${other}`)
    }
  }
  return [...imports]
    .filter((edge) => {
      const [from = '', to = ''] = edge.split(' ')
      return from < to && imports.has(`${to} ${from}`)
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

  it('ignores files at the root, and files of one folder', () => {
    const root = file('perform.ts', "import { b } from './sas/b.ts'")
    const folder = file('sas/b.ts', "import { p } from '../perform.ts'\nimport { c } from './c.ts'")
    expect(pairsOf([root, folder])).toEqual([])
  })
})
