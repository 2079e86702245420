import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { linkFrom } from '../../../site/.vitepress/github-markdown.ts'
import { brokenLinks } from '../../../site/check-links.ts'
import { publish } from '../../../site/publish.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rowkey-site-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
}

describe('a link of a page', () => {
  it('leads to the page of the site that shows the file', () => {
    expect(linkFrom('docs/queries.md', '../README.md#queries')).toBe('/tour.md#queries')
    expect(linkFrom('docs/queries.md', 'patterns/periods.md')).toBe('/patterns/periods.md')
  })

  it('leads to the source where the site has no page', () => {
    expect(linkFrom('docs/setup.md', '../packages/rest/src')).toMatch(
      /^https:.*\/packages\/rest\/src$/,
    )
  })

  it('fails the build when the file does not exist', () => {
    expect(() => linkFrom('docs/queries.md', 'nowhere.md')).toThrow('nowhere.md does not exist')
  })
})

describe('the check of links', () => {
  it('accepts files, folders, anchors and other hosts', () => {
    write({
      'index.html': '<a id="top" href="a.html#b"></a><a href="/0.1/">',
      'a.html': '<p id="b"><a href="https://example.com/x">',
    })
    expect(brokenLinks(folder, '/0.1/')).toEqual([])
  })

  it('finds missing files and anchors, and links that leave the folder of the version', () => {
    write({
      'index.html': '<a href="x.html"></a><a href="#nowhere"></a><a href="/other.html"></a>',
    })
    expect(brokenLinks(folder, '/0.1/')).toEqual([
      'index.html: x.html: x.html does not exist',
      'index.html: #nowhere: index.html has no #nowhere',
      'index.html: /other.html: is not below /0.1/',
    ])
  })
})

describe('publish', () => {
  it('keeps the other versions, lists the newest first, and leads the root to it', () => {
    mkdirSync(join(folder, 'dist'))
    write({ 'dist/index.html': 'built' })
    const pages = join(folder, 'pages')
    mkdirSync(pages)
    for (const version of ['0.9', '0.10', '0.2']) publish(join(folder, 'dist'), pages, version)
    expect(JSON.parse(readFileSync(join(pages, 'versions.json'), 'utf8'))).toEqual([
      '0.10',
      '0.9',
      '0.2',
    ])
    expect(readFileSync(join(pages, 'index.html'), 'utf8')).toContain('url=0.10/')
    expect(readFileSync(join(pages, '0.2/index.html'), 'utf8')).toBe('built')
  })

  it('rejects a name that is not a minor version', () => {
    expect(() => publish(folder, folder, '../up')).toThrow('must be like 0.1')
  })
})
