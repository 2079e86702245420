import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packedPages } from '../../scripts/package-docs/packed-pages.ts'
import { documents } from '../../scripts/snippets.ts'
import { root } from './source-files.ts'

const pictures = readdirSync(join(root, 'docs/pictures')).map((name) => `docs/pictures/${name}`)

/** The pictures that the pages show, with their alternative texts. */
const shown = documents().flatMap((page) =>
  Array.from(
    readFileSync(join(root, page), 'utf8').matchAll(/!\[([^\]]*)\]\(([^)\s]+)\)/g),
    ([, text = '', file = '']) => ({ text, path: join(dirname(page), file) }),
  ),
)

describe.each(pictures)('the picture %s', (path) => {
  it('is shown by a page that also tells it in words', () => {
    const texts = shown.filter((picture) => picture.path === path).map(({ text }) => text.length)
    expect(texts).not.toEqual([])
    expect(Math.min(...texts)).toBeGreaterThan(60)
  })

  it('is small', () => {
    expect(statSync(join(root, path)).size).toBeLessThan(130_000)
  })
})

describe.each(pictures.filter((path) => path.endsWith('.svg')))('the drawing %s', (path) => {
  const svg = readFileSync(join(root, path), 'utf8')

  it('has a title and a description', () => {
    expect(svg).toMatch(/role="img" aria-labelledby="title desc"/)
    expect(svg).toMatch(/<title id="title">.+<\/title>/)
    expect(svg).toMatch(/<desc id="desc">.{60,}<\/desc>/)
  })

  it('has colours for a dark page', () => {
    expect(svg).toContain('@media (prefers-color-scheme: dark)')
  })

  it('loads nothing', () => {
    expect(svg).not.toMatch(/<(?:script|image|foreignObject)|href=|url\((?!#)/)
  })
})

it('packages contain the pictures of their pages', () => {
  expect([...packedPages('rowkey').keys()]).toContain('docs/pictures/plans.svg')
  expect([...packedPages('patterns').keys()]).toContain('docs/pictures/index-entry.svg')
})
