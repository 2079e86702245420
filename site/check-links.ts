import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Finds the links of a built site that lead nowhere in it.
 *
 * @param folder - of the built site
 * @param base - the folder of the host that the site is for
 * @returns one text for each broken link
 */
export function brokenLinks(folder: string, base: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.\w+$/.test(file))
  const pages = new Map(
    files
      .filter((file) => /\.(?:html|svg)$/.test(file))
      .map((file) => [file, readPage(folder, file)]),
  )
  const others = new Set(files)
  const problemOf = (page: string, link: string): string | undefined => {
    const { origin, pathname, hash } = new URL(link, `http://site${base}${page}`)
    if (origin !== 'http://site') return undefined
    if (!pathname.startsWith(base)) return `is not below ${base}`
    const path = decodeURIComponent(pathname.slice(base.length))
    const file = path === '' || path.endsWith('/') ? `${path}index.html` : path
    if (!others.has(file)) return `${file} does not exist`
    const anchor = decodeURIComponent(hash.slice(1))
    // The playground keeps programs there, such as #page=tour.
    if (anchor === '' || anchor.includes('=') || pages.get(file)?.anchors.has(anchor))
      return undefined
    return `${file} has no #${anchor}`
  }
  return Array.from(pages).flatMap(([page, { links }]) =>
    Array.from(links).flatMap((link) => {
      const problem = problemOf(page, link)
      return problem === undefined ? [] : [`${page}: ${link}: ${problem}`]
    }),
  )
}

interface Page {
  readonly links: ReadonlySet<string>
  readonly anchors: ReadonlySet<string>
}

function readPage(folder: string, file: string): Page {
  const html = readFileSync(join(folder, file), 'utf8').replace(/<script>[^<]*<\/script>/g, '')
  const valuesOf = (attribute: RegExp) =>
    new Set(Array.from(html.matchAll(attribute), ([, value = '']) => plainText(value)))
  return { links: valuesOf(/\s(?:href|src)="([^"]*)"/g), anchors: valuesOf(/\sid="([^"]*)"/g) }
}

function plainText(value: string): string {
  return value.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
}
