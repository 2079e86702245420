import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('../packages/rest/src/', import.meta.url))

/**
 * What takes a module's place in the build for browsers and workers: where a file below `src/web` has
 * the path that another has below `src`, it is that one.
 *
 * @param specifier - what is imported, as it is written
 * @param importer - the file that imports it
 * @returns the path of the twin; `undefined` when there is none, or a twin itself imports
 */
export function webTwin(specifier: string, importer: string | undefined): string | undefined {
  if (!specifier.startsWith('.') || importer?.startsWith(sources) !== true) return undefined
  if (importer.startsWith(`${sources}web/`)) return undefined
  const path = new URL(specifier, `file://${importer}`).pathname
  const twin = path.replace(sources, `${sources}web/`)
  return existsSync(twin) ? twin : undefined
}
