import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const root = join(import.meta.dirname, '../..')
const RELATIVE_IMPORT = /from '(\.[^']+)'/g

interface Source {
  readonly hasText: boolean
  readonly imports: readonly string[]
}

/** Lists the tests below some folders that contain a text, themselves or in a file that they import. */
export function testsWith(text: RegExp, ...folders: readonly string[]): string[] {
  const known = new Map<string, Source>()
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
        posix.join(folder, path.replaceAll('\\', '/')),
      ),
    )
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => reaches(join(root, path), text, known))
    .sort()
}

/** Tells whether a file, or one that it imports by a relative path, contains a text. */
function reaches(file: string, text: RegExp, known: Map<string, Source>): boolean {
  const files = new Set([file])
  for (const each of files) {
    const { hasText, imports } = sourceOf(each, text, known)
    if (hasText) return true
    for (const path of imports) files.add(path)
  }
  return false
}

function sourceOf(file: string, text: RegExp, known: Map<string, Source>): Source {
  const source = known.get(file) ?? readSource(file, text)
  known.set(file, source)
  return source
}

function readSource(file: string, text: RegExp): Source {
  if (!existsSync(file)) return { hasText: false, imports: [] }
  const content = readFileSync(file, 'utf8')
  const paths = [...content.matchAll(RELATIVE_IMPORT)].map(([, path = '']) => path)
  return { hasText: text.test(content), imports: paths.map((path) => join(dirname(file), path)) }
}
