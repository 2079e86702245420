import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

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

/**
 * Names the modules of a package that have a twin for browsers and workers: their paths below `src`, without `.ts`.
 *
 * @param name - the folder of the package
 */
export function twinsOf(name: string): readonly string[] {
  const folder = `${packages}${name}/src/web/`
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => path.replaceAll('\\', '/').slice(0, -'.ts'.length))
    .sort()
}

/**
 * Replaces the import of a module that has a twin for browsers and workers by an import of `<package>/platform/<path>`.
 * The `exports` of the package choose between both, so that one copy of all other modules runs everywhere.
 *
 * @param specifier - the specifier of the import
 * @param importer - the file that imports it
 */
export function platformImport(
  specifier: string,
  importer?: string,
): { readonly id: string; readonly external: true } | undefined {
  const twin = webTwin(specifier, importer)
  const [, name, path] = /\/packages\/([\w-]+)\/src\/web\/(.+)\.ts$/.exec(twin ?? '') ?? []
  return path === undefined ? undefined : { id: `@rowkey/${name}/platform/${path}`, external: true }
}
