/** Links, headings and code, so that the same Markdown works on GitHub and on the site. */
import { existsSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import type { MarkdownEnv, MarkdownOptions } from 'vitepress'
import { base, sourceOf } from './edition.ts'
import { addressOf, pages } from './pages.ts'

type MarkdownIt = Parameters<NonNullable<MarkdownOptions['config']>>[0]

const root = join(import.meta.dirname, '../..')

/** Makes the anchor of a heading as GitHub does. */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Makes relative links lead to pages of the site, or else to the source. A link to a missing file fails the build. */
export function linkPages(md: MarkdownIt): void {
  md.core.ruler.push('rowkey-links', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href === null) continue
      token.attrSet('href', linkFrom(pageOf(env), href))
      // The pages of typedoc are not pages of VitePress, whose router must leave them to the browser.
      if (href.startsWith('/reference/api/')) {
        token.attrSet('href', `${base}${href.slice(1)}`)
        token.attrSet('target', '_self')
      }
    }
  })
}

/** Makes indented code look like other code. */
export function fenceIndentedCode(md: MarkdownIt): void {
  md.core.ruler.push('rowkey-indented', ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === 'code_block')) {
      token.type = 'fence'
      token.info = 'text'
    }
  })
}

function pageOf({ realPath, path }: MarkdownEnv): string {
  return relative(root, realPath ?? path).replaceAll('\\', '/')
}

/**
 * Returns where a link of a page leads.
 *
 * @param page - from the root of the repository
 * @param href - as the page has it
 */
export function linkFrom(page: string, href: string): string {
  if (/^(?:[a-z]+:|#|\/)/.test(href)) return href
  const [file = '', anchor] = href.split('#')
  const target = posix.join(posix.dirname(page), file).replace(/\/$/, '')
  const hash = anchor === undefined ? '' : `#${anchor}`
  if (pages.includes(target)) return `/${addressOf(target)}${hash}`
  if (!existsSync(join(root, target))) throw new Error(`${page}: ${href} does not exist`)
  return `${sourceOf(target)}${hash}`
}
