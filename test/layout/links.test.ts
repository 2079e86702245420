import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { documents } from '../../scripts/snippets.ts'
import { root } from './source-files.ts'

const pages = [
  ...documents(),
  'CONTRIBUTING.md',
  'SECURITY.md',
  'bench/README.md',
  'examples/stacks/README.md',
  'site/README.md',
]

/** Pages that are linked already and follow soon. */
const COMING: readonly string[] = []

const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

/** The relative links of a page, without code blocks and code spans. */
function linksOf(page: string): readonly string[] {
  const prose = textOf(page)
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, 'code')
  return Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, target = '']) => target).filter(
    (target) => !/^[a-z]+:/.test(target),
  )
}

/** The anchors of a page, as GitHub makes them of its headings. */
const anchorsOf = (page: string) =>
  Array.from(textOf(page).matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Tells why a link leads nowhere; `undefined` when it leads somewhere. */
function problemOf(page: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path)
  if (COMING.includes(target)) return undefined
  if (!existsSync(join(root, target))) return `${link}: ${target} does not exist`
  if (anchor === undefined || anchorsOf(target).includes(anchor)) return undefined
  return `${link}: ${target} has no heading for #${anchor}`
}

describe('the links of a page', () => {
  it.each(pages)('lead somewhere: %s', (page) => {
    expect(linksOf(page).flatMap((link) => problemOf(page, link) ?? [])).toEqual([])
  })

  it.each(COMING)('may lead to %s only until it exists', (page) => {
    expect(existsSync(join(root, page)), 'remove it from COMING').toBe(false)
  })

  it('of docs/README.md lead to every page for users, and those of CONTRIBUTING.md to every page of the project', () => {
    const linkedBy = (index: string) =>
      linksOf(index).map((link) => join(dirname(index), link.split('#')[0] ?? ''))
    const all = documents().filter((page) => page.startsWith('docs/') && page !== 'docs/README.md')
    const missing = all.filter((page) => {
      const index = page.startsWith('docs/project/') ? 'CONTRIBUTING.md' : 'docs/README.md'
      return !linkedBy(index).includes(page)
    })
    expect(missing).toEqual([])
  })

  it('are found', () => {
    expect(linksOf('README.md')).toContain('docs/errors.md')
  })

  it('are rejected when the file or the heading does not exist', () => {
    expect(problemOf('docs/keys.md', 'nowhere.md')).toContain('does not exist')
    expect(problemOf('docs/queries.md', 'encryption.md#nowhere')).toContain('no heading')
    expect(problemOf('docs/queries.md', 'encryption.md#keys')).toBeUndefined()
  })
})
