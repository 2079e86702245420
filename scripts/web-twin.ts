import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))

/** The folders below `src` whose files replace others: in web builds, and where a bundler reads the build. */
export type TwinFolder = 'web' | 'bundled'

/**
 * Finds the module that replaces another one in a build: the file with the same path below `src/web` or
 * `src/bundled`, in the same package.
 *
 * @param specifier - the specifier of the import
 * @param importer - the file that imports it
 * @param folder - `'web'` for browsers and workers
 * @returns the path of the twin; `undefined` when it does not exist, or when the importer is a twin
 */
export function webTwin(
  specifier: string,
  importer: string | undefined,
  folder: TwinFolder = 'web',
): string | undefined {
  if (!specifier.startsWith('.') || importer?.startsWith(packages) !== true) return undefined
  const [, sources = '', below = ''] = /^(.*?\/src\/)(.*)$/.exec(importer) ?? []
  if (below.startsWith(`${folder}/`)) return undefined
  const path = new URL(specifier, `file://${importer}`).pathname
  const twin = path.replace(sources, `${sources}${folder}/`)
  return existsSync(twin) ? twin : undefined
}
