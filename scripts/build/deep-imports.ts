import { readFileSync } from 'node:fs'
import { twinsOf } from './web-twin.ts'

const IMPORT = /^(import|export) \{ ([^}]+) \} from "(@rowkey\/[\w-]+)";$/gm
const EXPORT = /^export \{([^}]*)\} from '\.\/(.+?)\.ts'$/gms

/**
 * Replaces imports of whole packages by imports of the files that have the names, for bundlers. A package's index
 * imports all of its files. Some bundlers then keep a file in the main chunk when only a chunk that is loaded
 * on demand needs it.
 *
 * @param code - the built code of one module: each import on its own line
 * @throws Error for a name that the index of its package does not export
 */
export function deepImports(code: string): string {
  return code.replace(IMPORT, (_, keyword: string, names: string, from: string) => {
    const lines = new Map<string, string[]>()
    for (const name of names.split(', ')) {
      const file = pathOf(name.split(' as ')[0] ?? '', from)
      lines.set(file, [...(lines.get(file) ?? []), name])
    }
    return [...lines]
      .map(([file, found]) => `${keyword} { ${found.join(', ')} } from "${from}/${file}";`)
      .join('\n')
  })
}

/**
 * Lists the public names of a package by the files that export them: their paths in its folder. Types are not among them.
 *
 * @param name - the folder of the package
 */
export function exportedFrom(name: string): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, readonly string[]>()
  for (const [exported, file] of readIndex(`@rowkey/${name}`)) {
    if (exported === '' || exported.startsWith('type ')) continue
    files.set(file, [...(files.get(file) ?? []), exported])
  }
  return files
}

const filesOf = new Map<string, ReadonlyMap<string, string>>()

/** Finds the file that exports a name of a package: its path among the exports of that package. */
function pathOf(name: string, from: string): string {
  const files = filesOf.get(from) ?? readIndex(from)
  filesOf.set(from, files)
  const file = files.get(name)
  if (file === undefined) throw new Error(`${from} does not export ${name}.`)
  return `${twinsOf(folderOf(from)).includes(file) ? 'platform' : 'modules'}/${file}`
}

function readIndex(from: string): ReadonlyMap<string, string> {
  const index = new URL(`../../packages/${folderOf(from)}/src/index.ts`, import.meta.url)
  return new Map(
    [...readFileSync(index, 'utf8').matchAll(EXPORT)].flatMap(([, names = '', file = '']) =>
      names.split(',').map((name) => [name.trim(), file] as const),
    ),
  )
}

function folderOf(from: string): string {
  return from.slice('@rowkey/'.length)
}
