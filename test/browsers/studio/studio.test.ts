import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { DynamicEntity, EntityProperty } from 'rowkey'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser.ts'
import { startProxy } from './proxy.ts'
import { type RunningStudio, runStudio } from './run-studio.ts'
import { type SampleTables, sampleTables } from './sample-tables.ts'

let tables: SampleTables
let studio: RunningStudio
let browser: Browser
let context: BrowserContext
let page: Page
/** Everything that the browser asked for. */
const asked: string[] = []
/** What the console of the browser said, such as a breach of the content security policy. */
const complaints: string[] = []

beforeAll(async () => {
  tables = await sampleTables()
  const started = openBrowser()
  studio = await runStudio(['--port', '0', '--write'], { ROWKEY_TARGET: tables.target })
  browser = await started
  context = await openContext()
  page = await context.newPage()
  await page.goto(studio.url)
  await page.getByRole('link', { name: 'people', exact: true }).waitFor()
})
afterAll(async () => {
  await browser?.close()
  await studio?.stop()
  await tables?.[Symbol.asyncDispose]()
})

async function openContext(): Promise<BrowserContext> {
  const opened = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  opened.setDefaultTimeout(30_000)
  opened.on('request', (request) => asked.push(request.url()))
  opened.on('console', (message) => complaints.push(message.text()))
  opened.on('weberror', (error) => complaints.push(String(error.error())))
  return opened
}

const origin = () => new URL(studio.url).origin
const show = (path: string) => page.goto(`${origin()}/devstoreaccount1/${path}`)
const rows = () => page.locator('tbody th[scope=row] a')
const count = (text: string | RegExp) =>
  page.getByRole('status').filter({ hasText: text }).waitFor()
const search = () => new URL(page.url()).searchParams
const row = (name: string) => page.getByRole('link', { name, exact: true })
const panel = () => page.getByRole('complementary')
const people = () => tables.account.table('people')

describe('the way in', () => {
  it('takes the token out of the address, and keeps a cookie that no script reads', async () => {
    expect(page.url()).toBe(`${origin()}/`)
    expect(await context.cookies()).toMatchObject([{ httpOnly: true, sameSite: 'Strict' }])
    expect(await page.evaluate(() => document.cookie)).toBe('')
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
  })

  it('is closed for another browser, also with the printed address', async () => {
    const other = await openContext()
    const stranger = await other.newPage()
    await stranger.goto(origin())
    await stranger.getByText('This browser was not let in.').waitFor()
    await stranger.goto(studio.url)
    await stranger.getByText('The address was used before').waitFor()
    await other.close()
  })
})

describe('a table', () => {
  it('has its rows by page, and each page has an address', async () => {
    await page.getByRole('link', { name: 'people', exact: true }).click()
    await count('50 rows in 1 request; more follow')
    const first = await rows().first().textContent()
    await page.getByRole('link', { name: 'Next page' }).click()
    await page.getByRole('link', { name: 'Previous page' }).waitFor()
    await page.waitForFunction(
      (text) => document.querySelector('tbody a')?.textContent !== text,
      first,
    )
    const second = await rows().first().textContent()
    expect(search().get('token')?.length).toBeGreaterThan(10)
    await page.reload()
    await count(/^50 rows/)
    expect(await rows().first().textContent()).toBe(second)
    await page.goBack()
    await page.waitForFunction(
      (text) => document.querySelector('tbody a')?.textContent === text,
      first,
    )
  })

  it('has the type of each column, and of each value where they differ', async () => {
    await show('people')
    const heading = (name: string) => page.getByRole('columnheader', { name })
    expect(await heading('points').textContent()).toBe('pointsInt64')
    expect(await heading('score').textContent()).toBe('score2 types')
    const cell = page.getByRole('cell', { name: 'none yet String' })
    expect(await cell.first().textContent()).toBe('none yet String')
    expect(await page.getByRole('cell', { name: '9007199254740993', exact: true }).count()).toBe(1)
  })

  it('reads only chosen columns, which are part of the address', async () => {
    await show('people')
    await count(/^50 rows/)
    await page.getByText('Columns').click()
    for (const name of ['ratio', 'points', 'since'])
      await page.getByLabel(name, { exact: true }).click()
    await page.waitForURL(/columns=/)
    expect(search().get('columns')?.split(',')).not.toContain('points')
    expect(await page.getByRole('columnheader', { name: 'points' }).count()).toBe(0)
    await page.getByText('In a terminal').click()
    await page.getByText(/rowkey query --select age,city/).waitFor()
  })

  it('that is missing is an error with its name', async () => {
    await show('missing')
    await page.getByRole('alert').filter({ hasText: 'TableNotFound' }).waitFor()
  })

  it('of another account is not confused with one of this account', async () => {
    await page.goto(`${origin()}/contoso/people?filter=age+gt+30`)
    await page.getByText('This link shows rows of contoso').waitFor()
    await page.getByRole('link', { name: /Show the same view/ }).click()
    expect(new URL(page.url()).pathname).toBe('/devstoreaccount1/people')
  })
})

describe('a filter', () => {
  const field = () => page.getByRole('combobox', { name: 'Filter' })

  it('completes names, operators and values by the keyboard, and shows its plan', async () => {
    await show('people')
    await count(/^50 rows/)
    await field().focus()
    await page.keyboard.type('part')
    for (const name of ['PartitionKey', 'eq', "''"]) {
      await page.getByRole('option', { name }).first().waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    await page.keyboard.type('Smith')
    expect(await field().inputValue()).toBe("PartitionKey eq 'Smith' ")
    await page.getByText('One partition', { exact: true }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type("and RowKey ge 'M'")
    await page.getByText('Range of one partition').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/filter=PartitionKey/)
    await page.getByText('In a terminal').click()
    await page
      .getByText(/rowkey query --filter "PartitionKey eq 'Smith' and RowKey ge 'M'"/)
      .waitFor()
    await count(/^\d+ rows in 1 request$/)
    expect(await rows().first().textContent()).toMatch(/^Mia/)
  })

  it('that is wrong says where, and sends nothing', async () => {
    await show('people')
    await field().fill('age gt')
    await page.getByText(/Syntax error at position 6/).waitFor()
  })

  it('that scans is explained before it is sent', async () => {
    await show('people')
    await count(/^50 rows/)
    const before = asked.filter((url) => url.includes('/api/rows')).length
    await field().fill('age gt 70')
    await page.keyboard.press('Enter')
    await page.getByText('This filter does not name a PartitionKey').waitFor()
    expect(await page.getByText('Scan of the table', { exact: true }).count()).toBe(1)
    expect(asked.filter((url) => url.includes('/api/rows')).length).toBe(before)
    await page.getByRole('button', { name: 'Scan the table' }).click()
    await count(/^\d+ rows in \d+ requests?$/)
    expect(search().get('scan')).toBe('1')
    expect(await rows().count()).toBeGreaterThan(5)
  })
})

describe('a row', () => {
  it('has types, its ETag and its size, and a long value on demand', async () => {
    await show("people?filter=PartitionKey+eq+'Smith'+and+RowKey+eq+'Mia-004'")
    await row('Mia-004').click()
    await panel().getByText('since').waitFor()
    expect(await panel().textContent()).toMatch(/ETagW\/"datetime.*Size[\d,]+ bytes/)
    const shown = panel().locator('.text', { hasText: 'A long text.' })
    expect((await shown.textContent())?.length).toBe(2_000)
    await panel().getByRole('button', { name: 'Show all 11,700 characters' }).click()
    await panel()
      .getByRole('button', { name: /Show all/ })
      .waitFor({ state: 'detached' })
    expect((await shown.textContent())?.length).toBe(11_700)
    expect(search().get('row')).toBe('Mia-004')
  })
})

describe('a change', () => {
  const exact = () =>
    new DynamicEntity('Smith', 'exact', {
      big: EntityProperty.int64(9_223_372_036_854_775_807n),
      bytes: EntityProperty.binary(new Uint8Array([0, 255])),
      city: 'Bonn',
      guid: EntityProperty.guid('00000000-0000-0000-0000-0000000000ff'),
      infinite: EntityProperty.double(Number.NEGATIVE_INFINITY),
      lines: 'one\r\ntwo',
      nan: EntityProperty.double(Number.NaN),
      ticks: EntityProperty.read('DateTime', '2026-01-02T03:04:05.1234567Z'),
      whole: EntityProperty.double(3),
      zero: EntityProperty.double(-0),
    })

  const open = async (name: string) => {
    await show(`people?partition=Smith&row=${name}`)
    await panel().getByRole('button', { name: 'Edit' }).waitFor()
  }

  beforeEach(async () => {
    await people().insertOrReplace(exact())
  })

  it('of one property leaves every other one exactly as it was', async () => {
    await open('exact')
    await page.keyboard.press('e')
    await page.getByLabel('Value of city').fill('Oslo')
    await panel().getByText('rowkey merge --write people Smith exact city:String=Oslo').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await panel().getByText('Saved.').waitFor()
    const stored = await people().get(['Smith', 'exact'])
    for (const [name, property] of exact().properties) {
      const expected = name === 'city' ? EntityProperty.string('Oslo') : property
      expect([name, stored.get(name)?.equals(expected)]).toEqual([name, true])
    }
  })

  it('of values that browsers would lose keeps them', async () => {
    await open('exact')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Value of big').fill('-9223372036854775808')
    await page.getByLabel('Value of ticks').fill('2026-01-02T03:04:05.7654321Z')
    await page.getByLabel('Value of whole').fill('-0.0')
    await page.getByLabel('Value of lines').fill('"one\\r\\n2"')
    await page.getByLabel('Type of zero').selectOption('Int64')
    await page.getByLabel('Value of zero').fill('0')
    await page.getByRole('button', { name: 'Remove guid' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await panel().getByText('Saved.').waitFor()
    const stored = await people().get(['Smith', 'exact'])
    expect(stored.get('big')?.value).toBe(-9_223_372_036_854_775_808n)
    expect(JSON.stringify(stored)).toContain('05.7654321Z')
    expect(Object.is(stored.get('whole')?.value, -0)).toBe(true)
    expect(stored.get('lines')?.value).toBe('one\r\n2')
    expect(stored.get('zero')).toEqual(EntityProperty.int64(0n))
    expect(stored.has('guid')).toBe(false)
    expect(stored.get('nan')?.value).toBeNaN()
  })

  it('that does not fit its type is rejected with its name', async () => {
    await open('exact')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Value of big').fill('1.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await panel().getByRole('alert').filter({ hasText: 'big' }).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  it('under a conflict shows both versions side by side, and saves over the one that was shown', async () => {
    await open('exact')
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Value of city').fill('Mine')
    const theirs = new DynamicEntity('Smith', 'exact', { city: 'Theirs', extra: 5 })
    await people().merge(theirs, { etag: '*' })
    await page.getByRole('button', { name: 'Save' }).click()
    await panel().getByText('The row has changed since you read it').waitFor()
    const line = (name: string) => panel().getByRole('row').filter({ hasText: name })
    expect(await line('city').locator('td').allTextContents()).toEqual([
      'Bonn String',
      'Mine String',
      'Theirs String',
    ])
    expect(await line('city').textContent()).toContain('changed by both')
    expect(await line('extra').textContent()).toContain('changed by others')
    expect((await people().get(['Smith', 'exact'])).get('city')?.value).toBe('Theirs')
    await checkAccess()
    await page.getByRole('button', { name: 'Save my changes over the stored row' }).click()
    await panel().getByText('Saved.').waitFor()
    const stored = await people().get(['Smith', 'exact'])
    expect([stored.get('city')?.value, stored.get('extra')?.value]).toEqual(['Mine', 5])
  })

  it('of a table with indexes begins with a warning that they stay as they are', async () => {
    await tables.account.createTable('indexed')
    await tables.account.table('indexed').insert(new DynamicEntity('~rk~', '~rk~cat~~'))
    await show('indexed')
    await page.getByRole('note').filter({ hasText: 'indexes or sums' }).waitFor()
    await show('people')
    await count('rows in 1 request')
    expect(await page.getByRole('note').count()).toBe(0)
    await tables.account.deleteTable('indexed')
  })

  it('inserts a row, clones it, and deletes the clone', async () => {
    await show('people')
    await count(/^50 rows/)
    await page.keyboard.press('i')
    await page.getByLabel('PartitionKey', { exact: true }).fill('New')
    await page.getByLabel('RowKey', { exact: true }).fill("O'Neil")
    await page.getByRole('button', { name: 'Add a property' }).click()
    await page.locator('[aria-label="Name"]:focus').waitFor()
    await page.keyboard.type('big')
    await page.getByLabel('Type of big').selectOption('Int64')
    await page.getByLabel('Value of big').fill('9007199254740993')
    await checkAccess()
    await page.getByRole('button', { name: 'Insert', exact: true }).click()
    await panel().getByRole('button', { name: 'Clone' }).click()
    await page.getByRole('button', { name: 'Insert', exact: true }).click()
    await panel().getByText('A row with this key exists').waitFor()
    await page.getByRole('button', { name: 'Back to the form' }).click()
    await page.getByLabel('RowKey', { exact: true }).fill('clone')
    await page.getByRole('button', { name: 'Insert', exact: true }).click()
    await page.waitForURL(/row=clone/)
    const clone = await people().get(['New', 'clone'])
    expect(clone.get('big')).toEqual(EntityProperty.int64(9007199254740993n))
    await panel().getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete this row of people?' })
    await dialog.waitFor()
    await people().merge(new DynamicEntity('New', 'clone', { more: 1 }), { etag: '*' })
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
    await dialog.getByText('It has changed since you read it').waitFor()
    await checkAccess()
    await dialog.getByRole('button', { name: 'Delete the stored row' }).click()
    await page.waitForURL((url) => !url.search.includes('clone'))
    expect(await people().find(['New', 'clone'])).toBeUndefined()
    expect(await people().find(['New', "O'Neil"])).toBeDefined()
  })
})

describe('a selection', () => {
  const choose = async (...names: string[]) => {
    for (const name of names) await page.getByLabel(`Select Chosen / ${name}`).check()
  }
  const store = () =>
    people()
      .bulk()
      .insertOrReplace(
        ['1', '2', '3'].map((name) => new DynamicEntity('Chosen', name, { city: 'Bonn', n: 1 })),
      )

  it('says how many rows it has before they change, and ends when they are read again', async () => {
    await store()
    await show("people?filter=PartitionKey+eq+'Chosen'")
    await choose('1', '2')
    await count('2 rows selected')
    await page.getByLabel('Select all rows of the page').check()
    await count('3 rows selected')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByText('rows selected').waitFor({ state: 'detached' })
  })

  it('sets a property, whose type the table knows, and nothing else', async () => {
    await choose('1', '3')
    await page.getByRole('button', { name: 'Set a property' }).click()
    const dialog = page.getByRole('dialog', { name: 'Change 2 rows of people?' })
    await dialog.getByLabel('Name').fill('n')
    expect(await dialog.getByLabel('Type of n').inputValue()).toBe('Int32')
    await dialog.getByLabel('Value of n').fill('7')
    await dialog.getByText('rowkey set').waitFor()
    await checkAccess()
    await dialog.getByRole('button', { name: 'Change 2 rows' }).click()
    await dialog.waitFor({ state: 'detached' })
    const stored = await people().query().where({ partitionKey: 'Chosen' }).toArray()
    expect(stored.map((each) => [each.get('n')?.value, each.get('city')?.value])).toEqual([
      [7, 'Bonn'],
      [1, 'Bonn'],
      [7, 'Bonn'],
    ])
  })

  it('is deleted in the versions that were shown, and rows that stay are named', async () => {
    await page.locator('tbody').getByText('7').first().waitFor()
    await page.getByLabel('Select all rows of the page').check()
    await people().merge(new DynamicEntity('Chosen', '2', { n: 8 }), { etag: '*' })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete 3 rows' }).click()
    await dialog.getByText('Deleted 2 rows; 1 row stayed as it is').waitFor()
    expect(await dialog.getByRole('alert').textContent()).toContain('Chosen / 2: ')
    await checkAccess()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await count(/^1 row in/)
    expect((await people().get(['Chosen', '2'])).get('n')?.value).toBe(8)
    await people().delete(['Chosen', '2'], { etag: '*' })
  })
})

it('a narrow window shows the tables on demand, and the row below its list', async () => {
  await page.setViewportSize({ width: 420, height: 800 })
  await show("people?filter=PartitionKey+eq+'Smith'&partition=Smith&row=Mia-004")
  await panel().getByText('since').waitFor()
  const box = async (selector: string) => {
    const found = await page.locator(selector).first().boundingBox()
    return found ?? expect.fail(`${selector} is not shown`)
  }
  const [plan, toolbar] = [await box('.plan'), await box('.toolbar')]
  expect(plan.y + plan.height).toBeLessThanOrEqual(toolbar.y)
  const [list, aside] = [await box('.list'), await box('aside')]
  expect(list.y + list.height).toBeLessThanOrEqual(aside.y)
  expect(await page.locator('nav').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Tables' }).click()
  await row('store').click()
  await count(/^12 rows/)
  expect(await page.locator('nav').isVisible()).toBe(false)
  await checkAccess()
  await page.setViewportSize({ width: 1280, height: 800 })
})

describe('behind a proxy', () => {
  it.each(['keeps', 'removes'] as const)(
    'that %s its path, the page has its files, its rows and its way in',
    async (what) => {
      await using proxy = await startProxy(what === 'removes')
      const publicUrl = `http://localhost:${proxy.port}/tools/tables/`
      await using behind = await runStudio(['--port', '0', '--write', '--public-url', publicUrl], {
        ROWKEY_TARGET: tables.target,
      })
      proxy.forwardTo(behind.port)
      const other = await browser.newContext()
      const shown = await other.newPage()
      const failed: string[] = []
      shown.on('response', (response) => {
        if (response.status() >= 400) failed.push(response.url())
      })
      expect(behind.url).toMatch(publicUrl)
      await shown.goto(behind.url)
      await shown.getByRole('link', { name: 'people', exact: true }).click()
      await shown
        .getByRole('status')
        .filter({ hasText: /^50 rows/ })
        .waitFor()
      expect(new URL(shown.url()).pathname).toBe('/tools/tables/devstoreaccount1/people')
      const icon = shown.locator('header img')
      expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
        0,
      )
      await shown.reload()
      await shown
        .getByRole('status')
        .filter({ hasText: /^50 rows/ })
        .waitFor()
      expect(failed).toEqual([])
      await other.close()
    },
  )
})

it('saves the rows of the view as the command does', async () => {
  await show("people?filter=PartitionKey+eq+'Jones'&columns=age&size=20")
  await count(/^20 rows/)
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('people.csv')
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toMatch(/^PartitionKey,RowKey,Timestamp,age:Int32\r\nJones,Ann-000,/)
  expect(text.trim().split('\r\n')).toHaveLength(21)
})

it('needs no mouse', async () => {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  await show('')
  await row('people').waitFor()
  await press('t', 'p', 'e', 'o', 'Enter')
  await count(/^50 rows/)
  await page.locator('body').click({ position: { x: 700, y: 70 } }) // leaves the field
  const beginning = (await rows().first().textContent()) ?? ''
  const begins = () => rows().first().filter({ hasText: beginning })
  await press('n')
  await page.waitForURL(/token=/)
  await begins().waitFor({ state: 'detached' })
  await press('p')
  await page.waitForURL((url) => !url.search.includes('token'))
  await begins().waitFor()
  await rows().first().focus()
  await press('ArrowDown', 'j', 'k', 'Enter')
  await panel().getByText('ETag').waitFor()
  const opened = await panel().getByRole('heading').textContent()
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('row-title')
  await press('Escape')
  await page.waitForFunction(() => document.activeElement?.closest('tbody') !== null)
  const focused = await page.evaluate(() => document.activeElement?.textContent)
  expect(opened).toContain(focused)
  await press('/')
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('filter')
  await press('Tab', '?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await checkAccess()
  await page.getByLabel('Single keys act outside of fields').uncheck()
  await press('Escape', '?')
  expect(await page.getByRole('dialog', { name: 'Keys' }).count()).toBe(0)
  await page.evaluate(() => localStorage.clear())
})

it.each([
  ['light', undefined],
  ['dark', 'color-contrast'],
] as const)('can be read by everyone, in %s colours', async (colorScheme, rule) => {
  await page.emulateMedia({ colorScheme })
  await show("people?filter=PartitionKey+eq+'Smith'&partition=Smith&row=Mia-004")
  await panel().getByText('since').waitFor()
  await checkAccess(rule)
  await page.keyboard.press('e')
  await page.getByLabel('Value of city').waitFor()
  await checkAccess(rule)
  await show('people?filter=age+gt+30')
  await page.getByRole('button', { name: 'Scan the table' }).waitFor()
  await checkAccess(rule)
})

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Fails for anything that keeps people from using the page. */
async function checkAccess(runOnly?: string): Promise<void> {
  await page.evaluate(axe)
  const found = await page.evaluate(async (rule) => {
    // biome-ignore lint/suspicious/noExplicitAny: the script sets it
    const { violations } = await (globalThis as any).axe.run(
      rule === undefined ? {} : { runOnly: rule },
    )
    return violations.map(({ id, impact, nodes }: never) => [
      id,
      impact,
      (nodes as { html: string }[]).map(({ html }) => html.slice(0, 120)),
    ])
  }, runOnly)
  expect(found).toEqual([])
}

describe('a studio of models', () => {
  it('shows their names, and colours their types; without --write it changes nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowkey-models-'))
    await symlink(
      fileURLToPath(new URL('../../../node_modules', import.meta.url)),
      join(folder, 'node_modules'),
    )
    await writeFile(
      join(folder, 'models.ts'),
      `import { defineEntity, key } from 'rowkey'
       import { z } from 'zod'
       const customerId = z.string()
       export const Customer = defineEntity({ name: 'store', partitionKey: key\`\${'customerId'}\`, rowKey: key\`0001_\${'customerNo:8'}\`,
         schema: z.object({ customerId, customerNo: z.number().int(), email: z.string() }), storeAs: { email: 'cea' } })
       export const Order = defineEntity({ name: 'store', partitionKey: key\`\${'customerId'}\`, rowKey: key\`0002_\${'orderNo:8'}\`,
         schema: z.object({ customerId, orderNo: z.number().int(), total: z.number() }) })`,
    )
    const environment = { ROWKEY_TARGET: tables.target }
    const models = ['--port', '0', '--models', join(folder, 'models.ts')]
    await using other = await runStudio(models, environment)
    await rm(folder, { recursive: true })
    const tab = await context.newPage()
    await tab.goto(other.url)
    await tab.getByRole('link', { name: 'store', exact: true }).click()
    await tab.getByRole('status').filter({ hasText: '12 rows' }).waitFor()
    const headings = await tab.getByRole('columnheader').allTextContents()
    expect(headings).toEqual(
      expect.arrayContaining(['PartitionKeycustomerId', 'emailceaString', 'totalDouble']),
    )
    expect(await tab.locator('.kind-0').first().textContent()).toBe('Customer')
    expect(await tab.locator('.kind-1').count()).toBe(8)
    await tab.getByRole('link', { name: '0001_00000000' }).click()
    await tab.getByRole('complementary').getByText('email').waitFor()
    for (const name of ['Edit', 'Clone', 'Delete', 'Insert a row']) {
      expect(await tab.getByRole('button', { name }).count()).toBe(0)
    }
    await tab.close()
  })
})

it('weighs at most 250 kB', () => {
  const folder = fileURLToPath(new URL('../../../packages/studio/dist/page/', import.meta.url))
  const files = readdirSync(folder)
  expect(files.sort()).toEqual(['icon.svg', 'index.html', 'studio.css', 'studio.js'])
  const bytes = files.map((file) => gzipSync(readFileSync(folder + file)).length)
  expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(250_000)
})

it('asked nothing of any other server, and broke no rule of its own', () => {
  expect(asked.length).toBeGreaterThan(50)
  expect(asked.filter((url) => !/^(?:http:\/\/127\.0\.0\.1:\d+\/|blob:|data:)/.test(url))).toEqual(
    [],
  )
  // The tests above expect some statuses.
  expect(complaints.filter((text) => !/Failed to load resource/.test(text))).toEqual([])
})

it('ends with 0 on Ctrl+C', async () => {
  const { code, output } = await studio.stop()
  expect([code, output.split('\n').length]).toEqual([0, 3])
})
