import { existsSync } from 'node:fs'
import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { packageNames, placeOf, root, type SourceFile, sourceFiles } from './source-files.ts'

/** At least this share of the files that hold code have a test of the same name. */
const SHARE = 0.9

/** Whether anything of the file is left at run time; a file of types has nothing to run. */
const holdsCode = ({ text, path }: SourceFile): boolean =>
  path !== 'index.ts' && transformSync(text, { loader: 'ts' }).code.trim() !== ''

const testOf = ({ package: name, path }: SourceFile): string =>
  `${root}test/${name}/${path.replace(/\.ts$/, '.test.ts')}`

describe('tests', () => {
  it.each(packageNames)('mirror the sources of %s path for path', (name) => {
    const files = sourceFiles.filter((file) => file.package === name && holdsCode(file))
    const untested = files.filter((file) => !existsSync(testOf(file)))
    const share = 1 - untested.length / files.length
    expect(share, `without a test:\n${untested.map(placeOf).join('\n')}`).toBeGreaterThanOrEqual(
      SHARE,
    )
  })
})
