import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../packages/', import.meta.url))

/**
 * Finds the module that takes another's place in the build for browsers and workers: the file that has
 * below `src/web` the path that the other has below `src`, in the same package.
 *
 * @param specifier - what is imported, as it is written
 * @param importer - the file that imports it
 * @returns the path of the twin; `undefined` when there is none, or when a twin itself imports
 */
export function webTwin(specifier: string, importer: string | undefined): string | undefined {
  if (!specifier.startsWith('.') || importer?.startsWith(packages) !== true) return undefined
  const [, sources = '', below = ''] = /^(.*?\/src\/)(.*)$/.exec(importer) ?? []
  if (below.startsWith('web/')) return undefined
  const path = new URL(specifier, `file://${importer}`).pathname
  const twin = path.replace(sources, `${sources}web/`)
  return existsSync(twin) ? twin : undefined
}
