import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const root = join(import.meta.dirname, '../..')
const RELATIVE_IMPORT = /from '(\.[^']+)'/g

/** Lists the tests below some folders that contain a text, themselves or in a file that they import. */
export function testsWith(text: RegExp, ...folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        posix.join(folder, path.replaceAll('\\', '/')),
      ),
    )
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => readWithImports(join(root, path)).some((found) => text.test(found)))
    .sort()
}

/** Returns the texts of a file and of all that it imports by a relative path. */
function readWithImports(file: string, seen: Set<string> = new Set()): readonly string[] {
  if (seen.has(file) || !existsSync(file)) return []
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  const imported = [...text.matchAll(RELATIVE_IMPORT)].map(([, path = '']) =>
    join(dirname(file), path),
  )
  return [text, ...imported.flatMap((path) => readWithImports(path, seen))]
}
