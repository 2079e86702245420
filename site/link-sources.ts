import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceOf } from './.vitepress/edition.ts'

/** What typedoc writes of where a name is defined: a file, and a line in it. */
const DEFINED_IN = /<a href="[^"]*#L\d+">([^<:]+)(:\d+)<\/a>/g

/**
 * Makes the pages of typedoc name the files that people edit. It finds the names of other packages in their built types.
 *
 * @param folder - of the pages
 */
export function linkSources(folder: string): void {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const page of pages.filter((name) => name.endsWith('.html'))) {
    const html = readFileSync(join(folder, page), 'utf8')
    const linked = html.replaceAll(DEFINED_IN, (_, file: string, line: string) =>
      linkTo(fromRoot(file, page), line),
    )
    writeFileSync(join(folder, page), linked)
  }
}

/** A package whose names are all in few files gets paths from its own sources. */
function fromRoot(file: string, page: string): string {
  if (/^packages\/|node_modules\//.test(file)) return file
  return `packages/${/_rowkey_([\w-]+)\./.exec(page)?.[1] ?? 'rowkey'}/src/${file}`
}

function linkTo(file: string, line: string): string {
  if (file.includes('node_modules/')) return file.replace(/.*node_modules\//, '')
  const built = /^(packages\/[\w-]+)\/\.tsc\/(.*)\.d\.ts$/.exec(file)
  if (built === null) return `<a href="${sourceOf(file)}#L${line.slice(1)}">${file}${line}</a>`
  const source = `${built[1]}/src/${built[2]}.ts`
  return `<a href="${sourceOf(source)}">${source}</a>`
}
