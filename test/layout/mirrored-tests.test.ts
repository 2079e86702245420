import { readdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { packageNames, root, type SourceFile, sourceFiles } from './source-files.ts'

/** Tells whether a file has code that runs; a file of types needs no test. */
const holdsCode = ({ text, path }: SourceFile): boolean =>
  path !== 'index.ts' && transformSync(text, { loader: 'ts' }).code.trim() !== ''

/** The folders below `src/` that contain code directly: `edm`, or `.` for the root. */
const codeFolders = (name: string): readonly string[] => [
  ...new Set(
    sourceFiles
      .filter((file) => file.package === name && holdsCode(file))
      .map(({ path }) => dirname(path)),
  ),
]

/** The folders below `test/<name>/` that contain a test file directly. */
const testedFolders = (name: string): ReadonlySet<string> =>
  new Set(
    readdirSync(`${root}test/${name}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.test.ts'))
      .map((path) => dirname(path)),
  )

describe('tests', () => {
  it.each(packageNames)('mirror every source folder of %s that contains code', (name) => {
    const tested = testedFolders(name)
    const folders = codeFolders(name)
    expect(folders).not.toEqual([])
    expect(folders.filter((folder) => !tested.has(folder))).toEqual([])
  })
})
