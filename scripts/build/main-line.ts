import { readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'
import { deepImports } from './deep-imports.ts'
import { twinsOf, webTwin } from './web-twin.ts'

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

const STATIC = /^(?:import|export) (?:[^"']*? from )?["']([^"']+)["'];?$/gm

/**
 * Lists the files that are loaded together with some files: a bundler puts them into one chunk.
 *
 * @param entries - paths below `packages`
 * @param platform - whether to follow the twins for browsers and workers
 */
export async function loadedWith(
  entries: readonly string[],
  platform: 'node' | 'web' = 'node',
): Promise<readonly string[]> {
  const files = new Set(entries.map((entry) => join(packages, entry)))
  for (const file of files) {
    const { code } = await transform(readFileSync(file, 'utf8'), { loader: 'ts' })
    for (const [, specifier = ''] of deepImports(oneLineEach(code)).matchAll(STATIC)) {
      const imported = pathOf(specifier, file)
      if (imported !== undefined) files.add((platform === 'web' && twinOf(imported)) || imported)
    }
  }
  return [...files].map((file) => relative(packages, file).replaceAll('\\', '/'))
}

const DYNAMIC = /\bimport\(\s*["'](\.[^"']+)["']\s*\)/g

/**
 * Lists the files that the main line loads on demand, and those that these load: bundlers make a chunk of each.
 *
 * @param main - the result of {@link mainLine}
 */
export async function partsOf(main: readonly string[]): Promise<readonly string[]> {
  const files = new Set(main)
  const parts = new Set<string>()
  for (const file of files) {
    const code = readFileSync(join(packages, file), 'utf8')
    for (const [, specifier = ''] of code.matchAll(DYNAMIC)) {
      const part = join(dirname(file), specifier).replaceAll('\\', '/')
      parts.add(part)
      for (const loaded of await loadedWith([part])) files.add(loaded)
    }
  }
  return [...parts]
}

function oneLineEach(code: string): string {
  return code.replace(/^(?:import|export) \{[^}]*\}/gm, (names) => names.replace(/\s+/g, ' '))
}

function pathOf(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('.')) return join(dirname(importer), specifier)
  const [, name, file] = /^@rowkey\/([\w-]+)\/(?:modules|platform)\/(.+)$/.exec(specifier) ?? []
  return name && file && join(packages, name, 'src', `${file}.ts`)
}

function twinOf(path: string): string | undefined {
  return webTwin(`./${basename(path)}`, path)
}

/** Lists the files that every program with `connect` and a decorated class loads, on Node and in browsers. */
export async function mainLine(): Promise<readonly string[]> {
  const entries = [
    'rowkey/src/connect.ts',
    'mapper/src/decorators/decorate.ts',
    'mapper/src/decorators/entity.ts',
    'mapper/src/decorators/system-property.ts',
  ]
  const inBrowsers = new Set(await loadedWith(entries, 'web'))
  return (await loadedWith(entries)).filter((file) => inBrowsers.has(file))
}

/** A file of the build that has the code of several source files. */
export interface ModuleGroup {
  readonly name: string
  /** Tells whether a source file belongs to it; the argument is its path. */
  readonly test: (file: string) => boolean
}

/**
 * Puts the files of the main line of a package into one file of the build. Bundlers make a chunk of the files that the
 * same parts of a program share: file by file, these are twenty, and each is compressed alone.
 *
 * The files that the twins for browsers and workers import are in a file of their own. Twins are not in a group, and
 * no two files of the build may import each other.
 *
 * @param name - the folder of the package
 * @param files - the result of {@link mainLine}
 */
export async function mainLineGroups(
  name: string,
  files: readonly string[],
): Promise<readonly ModuleGroup[]> {
  const source = (path: string): string => `${name}/src/${path}.ts`
  const twins = new Set(twinsOf(name).flatMap((path) => [source(path), source(`web/${path}`)]))
  const below = new Set(await loadedWith([...twins]))
  const main = new Set(files)
  const isIn = (group: (file: string) => boolean) => (path: string) => {
    const file = relative(packages, path).replaceAll('\\', '/')
    return file.startsWith(`${name}/`) && !twins.has(file) && group(file)
  }
  return [
    { name: 'below-twins', test: isIn((file) => below.has(file) && main.has(file)) },
    { name: 'main-line', test: isIn((file) => main.has(file)) },
  ]
}
