import axeCore from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedSite, serveSite } from './served-site.ts'
import { tasks } from './tasks.ts'

let site: ServedSite
/** What went wrong in a page. */
const failures: string[] = []

beforeAll(async () => {
  site = await serveSite()
})
afterAll(() => site.close())

async function open(path: string, options?: BrowserContextOptions): Promise<Page> {
  const page = await (await site.open(options)).newPage()
  page.on('pageerror', (error) => failures.push(`${path}: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 400) failures.push(`${path}: ${response.status()} ${response.url()}`)
  })
  await page.goto(`${site.origin}${path}`, { waitUntil: 'networkidle' })
  return page
}

/** Opens the search and types words into it. */
async function search(page: Page, words: string): Promise<void> {
  const input = page.locator('#localsearch-input')
  if (!(await input.isVisible())) await page.locator('#local-search button').first().click()
  await input.fill('')
  await expect.poll(() => found(page)).toEqual([])
  await input.fill(words)
}

/** The first three pages that the search shows. */
async function found(page: Page): Promise<readonly string[]> {
  const paths = await page
    .locator('#localsearch-list a.result')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname))
  return [...new Set(paths.map((path) => path.slice(1).replace(/\.html$/, '')))].slice(0, 3)
}

/**
 * What keeps people from using a page, as axe finds it: serious problems only. VitePress labels its search by other words than it shows.
 */
async function problems(page: Page, except: readonly string[] = []): Promise<readonly string[]> {
  await page.evaluate(axeCore.source)
  const { violations } = await page.evaluate(() =>
    globalThis.axe.run({ rules: { 'label-content-name-mismatch': { enabled: false } } }),
  )
  return violations
    .filter(({ id, impact }) => /serious|critical/.test(impact ?? '') && !except.includes(id))
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))
}

declare global {
  var axe: typeof import('axe-core')
}

describe('the search', () => {
  let page: Page
  beforeAll(async () => {
    page = await open('/')
  })
  afterAll(() => page.context().close())

  it.each(tasks)('finds by "%s" the page %s', async (words, expected) => {
    await search(page, words)
    await expect.poll(() => found(page)).toContain(expected)
  })

  it('finds a public name in the reference', async () => {
    await search(page, 'AccountProperties')
    await expect.poll(() => found(page)).toContain('reference/mapper')
  })

  it('opens the page that was chosen with the keyboard', async () => {
    await search(page, 'rename property')
    await expect.poll(() => found(page)).toContain('tasks/rename-a-property')
    await page.keyboard.press('Enter')
    await page.waitForURL(/tasks\/rename-a-property/)
    await page.locator('h1', { hasText: 'Rename a property' }).waitFor()
  })
})

describe('the pages', () => {
  it('follow the colours of the system, and those that the reader chooses', async () => {
    const page = await open('/queries.html', { colorScheme: 'dark' })
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const dark = await paper()
    await page.locator('.VPNavBarAppearance .VPSwitchAppearance').click()
    await expect.poll(paper).not.toBe(dark)
    expect(await page.evaluate(() => localStorage.getItem('tsd-theme'))).toBe('light')
    await page.goto(`${site.origin}/reference/api/classes/rowkey.Table.html`)
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
    await page.context().close()
  })

  it('show the type of a name under the pointer', async () => {
    const page = await open('/')
    await page
      .locator('.first-program .twoslash-hover', { hasText: /^connect$/ })
      .first()
      .hover()
    const popup = page.locator('.twoslash-popup-code', { hasText: 'function connect(' })
    await popup.first().waitFor()
    await page.context().close()
  })

  it('fit a narrow screen', async () => {
    const page = await open('/queries.html', { viewport: { width: 390, height: 844 } })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.context().close()
  })
})

describe.each(['light', 'dark'] as const)(
  'axe finds no serious problem with %s colours',
  (colorScheme) => {
    it.each(['/', '/changes.html', '/queries.html', '/reference/rowkey.html'])(
      'on %s',
      async (path) => {
        const page = await open(path, { colorScheme })
        expect(await problems(page)).toEqual([])
        await page.context().close()
      },
    )

    it('on a page of typedoc, but its links in headings that open and close', async () => {
      const page = await open('/reference/api/classes/rowkey.Table.html', { colorScheme })
      expect(await problems(page, ['nested-interactive'])).toEqual([])
      await page.context().close()
    })

    it('in the search', async () => {
      const page = await open('/', { colorScheme })
      await search(page, 'count')
      await expect.poll(() => found(page)).toContain('queries')
      expect(await problems(page)).toEqual([])
      await page.context().close()
    })
  },
)

describe('every page that the tests opened', () => {
  it('sends no request to anywhere else', () => {
    expect(site.outside).toEqual([])
  })

  it('has neither errors nor missing files', () => {
    expect(failures).toEqual([])
  })
})
