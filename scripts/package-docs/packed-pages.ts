import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Pages for those who work on Rowkey or want to see its proofs. No package contains them. */
const isOfRepository = (page: string) => page.startsWith('project/')

/** The pages of packages that are installed beside `rowkey`. */
const PAGES_BESIDE: Readonly<Record<string, readonly string[]>> = {
  'azure-entities': ['azure-entities'],
  cli: ['command'],
  studio: ['studio'],
  patterns: userPages().filter((page) => page.startsWith('patterns/')),
}

const beside = new Set(Object.values(PAGES_BESIDE).flat())

/** The pages of each package. `rowkey` has those of the packages that it installs, so that no page is installed twice. */
const PAGES_OF: Readonly<Record<string, readonly string[]>> = {
  ...PAGES_BESIDE,
  'data-tables': ['migrating'],
  rowkey: userPages().filter((page) => !beside.has(page)),
}

function userPages(): readonly string[] {
  return readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.md') && !path.startsWith('api/'))
    .map((path) => path.slice(0, -'.md'.length))
    .filter((page) => !isOfRepository(page))
}

/** Where the repository is, once that is known. */
export interface Home {
  /** The address of the repository, for example `https://github.com/<owner>/<name>`. */
  readonly url: string
  /** The tag of the release. */
  readonly tag: string
}

/**
 * Returns the pages of docs/ that a package contains, with their pictures, and with links that work there. A link to a page of the same package
 * stays. Any other link leads to the repository, or becomes plain text while the repository has no address.
 *
 * @param name - the folder of the package
 * @param home - where the repository is
 * @returns the texts by their paths in the package
 */
export function packedPages(name: string, home?: Home): ReadonlyMap<string, string> {
  const pages = (PAGES_OF[name] ?? []).map((page) => `docs/${page}.md`)
  const texts = new Map(pages.map((path) => [path, readFileSync(`${root}${path}`, 'utf8')]))
  const pictures = new Set([...texts].flatMap(([path, text]) => picturesOf(text, path)))
  const isPacked = (target: string) => texts.has(target) || pictures.has(target)
  return new Map([
    ...[...texts].map(
      ([path, text]) => [path, withPackedLinks(text, path, isPacked, home)] as const,
    ),
    ...[...pictures].map((path) => [path, readFileSync(`${root}${path}`, 'utf8')] as const),
  ])
}

/** Lists the drawings that a page shows, from the root of the repository. Photographs of a screen stay there. */
function picturesOf(text: string, path: string): readonly string[] {
  return Array.from(text.matchAll(/!\[[^\]]*\]\(([^)\s]+\.svg)\)/g), ([, file = '']) =>
    posix.join(posix.dirname(path), file),
  )
}

/** A link or a picture in Markdown: its label, which may contain brackets, and its target. */
const LINK = /(!?)\[((?:[^[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)/g

/**
 * Changes the relative links of a page that lead out of the package. Code keeps its brackets.
 *
 * @param text - Markdown
 * @param path - of the page, from the root of the repository
 * @param isPacked - whether the package contains a file
 * @param home - where the repository is
 */
export function withPackedLinks(
  text: string,
  path: string,
  isPacked: (target: string) => boolean,
  home?: Home,
): string {
  const packedLink = (link: string, mark: string, label: string, to: string): string => {
    const [file = '', anchor] = to.split('#')
    const target = posix.join(posix.dirname(path), file)
    if (file === '' || isPacked(target) || !existsSync(`${root}${target}`)) return link
    if (home === undefined) return label
    if (mark === '!') return `![${label}](${home.url}/raw/${home.tag}/${target})`
    return `[${label}](${addressIn(home, target)}${anchor === undefined ? '' : `#${anchor}`})`
  }
  return text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : part.replaceAll(LINK, packedLink)))
    .join('')
}

/**
 * Makes links of the pages that the README of a package names, such as `docs/queries.md` in code font.
 *
 * @param text - the README
 * @param home - where the repository is
 */
export function withLinkedPages(text: string, home: Home): string {
  return text.replaceAll(/(?<!\[)`(docs\/[\w/-]+\.md)`(?!\])/g, (name, path: string) => {
    return `[${name}](${addressIn(home, path)})`
  })
}

/**
 * Returns what the manifest of a package says about where it comes from. Provenance needs it.
 *
 * @param name - the folder of the package
 */
export function linksOf(name: string, { url, tag }: Home): Readonly<Record<string, unknown>> {
  return {
    repository: { type: 'git', url: `git+${url}.git`, directory: `packages/${name}` },
    homepage: `${url}/tree/${tag}/packages/${name}#readme`,
    bugs: { url: `${url}/issues` },
  }
}

function addressIn({ url, tag }: Home, path: string): string {
  return `${url}/blob/${tag}/${path}`
}
