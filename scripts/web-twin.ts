import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))

/**
 * Finds the module that replaces another one in the build for browsers and workers: the file with the
 * same path below `src/web`, in the same package.
 *
 * @param specifier - the specifier of the import
 * @param importer - the file that imports it
 * @returns the path of the twin; `undefined` when it does not exist, or when the importer is a twin
 */
export function webTwin(specifier: string, importer: string | undefined): string | undefined {
  if (!specifier.startsWith('.') || importer?.startsWith(packages) !== true) return undefined
  const [, sources = '', below = ''] = /^(.*?\/src\/)(.*)$/.exec(importer) ?? []
  if (below.startsWith('web/')) return undefined
  const path = new URL(specifier, `file://${importer}`).pathname
  const twin = path.replace(sources, `${sources}web/`)
  return existsSync(twin) ? twin : undefined
}
