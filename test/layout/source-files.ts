import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

export const packageNames: readonly string[] = readdirSync(`${root}packages`).sort()

/** One source file of a package. */
export interface SourceFile {
  readonly package: string
  /** The path below `src/`: `edm/double.ts`. */
  readonly path: string
  readonly text: string
}

export const sourceFiles: readonly SourceFile[] = packageNames.flatMap((name) =>
  readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .map((path) => ({
      package: name,
      path,
      text: readFileSync(`${root}packages/${name}/src/${path}`, 'utf8'),
    })),
)

/** Names a file in the message of a failing test. */
export const placeOf = (file: SourceFile): string => `packages/${file.package}/src/${file.path}`
