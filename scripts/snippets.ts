/**
 * Makes one program of the ts blocks of each document, in reading order, so that the tests can compile
 * and run them. README.md becomes examples/snippets/README.ts.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')

/** Lists the documents whose ts blocks are programs: every README, and the pages below docs/. */
export function documents(): readonly string[] {
  const guides = ['docs', 'docs/patterns', 'docs/tasks', 'docs/project'].flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(folder, name)),
  )
  const packages = readdirSync(join(root, 'packages'))
  return ['README.md', ...packages.map((name) => join('packages', name, 'README.md')), ...guides]
}

/** Lists the ts blocks of a Markdown text. The site shows types on those marked `twoslash`. */
export function blocksOf(markdown: string): readonly string[] {
  return [...markdown.matchAll(/^```ts(?: twoslash)?\n([\s\S]*?)^```$/gm)].map(
    ([, block = '']) => block,
  )
}

/** Joins the ts blocks of a document; returns an empty text when it has none. */
export function programOf(document: string): string {
  return blocksOf(readFileSync(join(root, document), 'utf8')).join('\n')
}

/** Writes every program and returns their files. */
export function writePrograms(): readonly string[] {
  const folder = join(root, 'examples', 'snippets')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return documents().flatMap((document) => {
    const program = programOf(document)
    if (program === '') return []
    const file = join(folder, `${document.replace(/\.md$/, '').replaceAll('/', '-')}.ts`)
    writeFileSync(file, program)
    return [file]
  })
}

if (process.argv[1] === import.meta.filename) console.log(writePrograms().join('\n'))
