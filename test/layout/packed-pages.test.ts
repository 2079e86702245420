import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  linksOf,
  packedPages,
  withLinkedPages,
  withPackedLinks,
} from '../../scripts/package-docs/packed-pages.ts'
import { packageNames, root } from './source-files.ts'

const home = { url: 'https://example.com/owner/rowkey', tag: 'v1.2.0' }

/** The targets of links, without code. */
const targetsOf = (text: string) =>
  Array.from(
    text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g),
    ([, target = '']) => target,
  )

const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8'))

/** The packages that `rowkey` installs. */
const installed: ReadonlySet<string> = new Set(
  Object.keys(manifestOf('rowkey').dependencies).map((each) => each.replace('@rowkey/', '')),
)

it('no page is installed twice', () => {
  const pages = [...installed, 'rowkey', 'patterns', 'cli', 'studio', 'azure-entities']
    .flatMap((name) => [...packedPages(name).keys()])
    .filter((path) => path.endsWith('.md'))
  expect(pages).toEqual([...new Set(pages)])
})

describe.each(packageNames)('the package %s', (name) => {
  const folder = join(root, 'packages', name)
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const manifest = manifestOf(name)

  it('contains its pages, its licence and its words for a search', () => {
    expect(manifest.files.includes('docs')).toBe(packedPages(name).size > 0)
    expect(existsSync(join(folder, 'LICENSE'))).toBe(true)
    expect(manifest.keywords.length).toBeGreaterThan(2)
  })

  it('has placeholders for the address of the repository, which a release replaces', () => {
    const placeholder = linksOf(name, { url: 'https://github.com/OWNER/rowkey', tag: 'main' })
    expect(manifest).toMatchObject(placeholder)
    expect(Object.keys(linksOf(name, home))).toEqual(Object.keys(placeholder))
    expect(JSON.stringify({ ...manifest, ...linksOf(name, home) })).not.toContain('OWNER')
  })

  it('has a README whose links work on npm', () => {
    expect(targetsOf(readme).filter((target) => !target.startsWith('https://'))).toEqual([])
  })

  it('has a README that names only pages of the package, or of rowkey when it is installed with it', () => {
    const named = Array.from(readme.matchAll(/`(docs\/[\w/-]+\.md)`/g), ([, page = '']) => page)
    const pages = packedPages(installed.has(name) ? 'rowkey' : name)
    expect(named.filter((page) => !pages.has(page))).toEqual([])
  })

  it('has pages whose links lead to other pages of the package', () => {
    const pages = packedPages(name)
    const broken = [...pages].flatMap(([path, text]) =>
      targetsOf(text).filter(
        (target) => !target.startsWith('https://') && !pages.has(join(dirname(path), target)),
      ),
    )
    expect(broken).toEqual([])
  })

  it('has pages whose other links lead to files of the repository, once its address is known', () => {
    const prefix = `${home.url}/blob/${home.tag}/`
    const targets = [...packedPages(name, home).values()].flatMap(targetsOf)
    const files = targets.filter((target) => target.startsWith(prefix))
    expect(files.filter((file) => !existsSync(join(root, file.slice(prefix.length))))).toEqual([])
  })
})

describe('a link of a packed page', () => {
  const isPacked = (target: string) => target === 'docs/keys.md'
  const page = (text: string, at?: typeof home) =>
    withPackedLinks(text, 'docs/models.md', isPacked, at)

  it('stays when it leads to a page of the package', () => {
    expect(page('see [keys](keys.md#formats) and [above](#top)')).toBe(
      'see [keys](keys.md#formats) and [above](#top)',
    )
  })

  it('becomes text while the repository has no address', () => {
    expect(page('see [`perform`](../packages/rest/src/perform.ts)')).toBe('see `perform`')
  })

  it('leads to the repository in a release', () => {
    expect(page('see [errors](errors.md#rowkeyrest)', home)).toBe(
      'see [errors](https://example.com/owner/rowkey/blob/v1.2.0/docs/errors.md#rowkeyrest)',
    )
  })

  it('to a picture that is not packed shows it from the repository in a release', () => {
    const picture = 'see ![rows of a table](pictures/studio-light.png)'
    expect(page(picture, home)).toBe(
      'see ![rows of a table](https://example.com/owner/rowkey/raw/v1.2.0/docs/pictures/studio-light.png)',
    )
    expect(page(picture)).toBe('see rows of a table')
  })

  it('is not looked for in code', () => {
    const code = '```ts\nconst row = table[name](README.md)\n```'
    expect(page(code, home)).toBe(code)
  })

  it('is made of a page that the README of a release names', () => {
    expect(withLinkedPages('see `docs/keys.md`.', home)).toBe(
      'see [`docs/keys.md`](https://example.com/owner/rowkey/blob/v1.2.0/docs/keys.md).',
    )
  })
})
