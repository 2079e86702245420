import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { examples } from '../../../site/playground/examples.ts'
import type { BlockProgram } from '../../../site/playground/page-programs.ts'
import { type ServedSite, serveSite } from './served-site.ts'

let site: ServedSite
let page: Page

beforeAll(async () => {
  site = await serveSite()
  page = await (await site.open()).newPage()
  await page.goto(`${site.origin}/playground`)
  await page.getByRole('button', { name: 'Run' }).waitFor()
})
afterAll(() => site.close())

/** Opens what a fragment holds or names in the page that is open. */
async function open(fragment: string): Promise<void> {
  await page.evaluate((hash) => {
    const { dataset } = document.querySelector<HTMLElement>('.playground') as HTMLElement
    delete dataset.opened
    history.replaceState(history.state, '', hash)
    dispatchEvent(new HashChangeEvent('hashchange'))
  }, fragment)
  await page.locator('.playground[data-opened]').waitFor()
}

/** Runs a program, and returns the lines that it prints. */
async function run(window = page): Promise<{ state: string; lines: readonly string[] }> {
  await window.getByRole('button', { name: 'Run' }).click()
  await window.waitForFunction(() => /^(?:Ended|Stopped)/.test(stateOf()))
  const printed = await window.locator('[data-results] pre').allInnerTexts()
  return { state: await window.evaluate(() => stateOf()), lines: printed.join('\n').split('\n') }
}

declare function stateOf(): string

beforeAll(() =>
  page.addScriptTag({
    content: `globalThis.stateOf = () => document.querySelector('[data-state]').value`,
  }),
)

/** A fragment of a program, as the playground makes it. */
async function fragmentOf(code: string): Promise<string> {
  const { deflateRawSync } = await import('node:zlib')
  return `#code=${deflateRawSync(code).toString('base64url')}`
}

/** What a program says it prints, in the remarks behind its calls. */
const remarksOf = (code: string) =>
  Array.from(code.matchAll(/console\.log\(.*\) \/\/ (.*)$/gm), ([, line]) => line)

describe('the playground', () => {
  it('shows what a program prints, stores and sends, with the plan of each read', async () => {
    await open('#page=tour&block=0')
    const { state, lines } = await run()
    expect(state).toBe('Ended.')
    expect(lines.join('\n')).toContain('Jeff')
    expect(await page.locator('[data-results] h2').allInnerTexts()).toEqual(['Table people: 1 row'])
    expect(await page.locator('[data-results] td').allInnerTexts()).toEqual([
      'Smith',
      'Jeff',
      '120',
    ])
    const requests = await page.locator('[data-requests] summary').allInnerTexts()
    expect(requests).toHaveLength(3)
    expect(requests[2]).toMatch(/GET .*people\(PartitionKey='Smith',RowKey='Jeff'\).*200 point$/)
  })

  it('warns of a query that reads a whole table, and says why', async () => {
    await open(
      await fragmentOf(`import { connect, DynamicEntity } from 'rowkey'
const people = connect('memory:').table('people', { scans: 'tableScan' })
await people.create()
await people.insert(new DynamicEntity('Smith', 'Jeff'))
console.log(await people.query().toArray())`),
    )
    expect((await run()).state).toBe('Ended.')
    const scan = page.locator('[data-requests] li').filter({ hasText: 'tableScan' })
    await scan.locator('summary').click()
    expect(await scan.locator('p').innerText()).not.toBe('')
  })

  it('gives a link that reproduces the program and its result in another window', async () => {
    await open(await fragmentOf("console.log('from', [1n, new Date(0), { a: undefined }])"))
    const { lines } = await run()
    const other = await (await site.open()).newPage()
    await other.goto(page.url())
    await other.addScriptTag({
      content: `globalThis.stateOf = () => document.querySelector('[data-state]').value`,
    })
    // The button is there before the code that it runs.
    await other.locator('.playground[data-opened]').waitFor()
    expect((await run(other)).lines).toEqual(lines)
    expect(lines).toEqual(['from [ 1n, 1970-01-01T00:00:00.000Z, { a: undefined } ]'])
    await other.context().close()
  })

  it('keeps what is typed in the address', async () => {
    await open(await fragmentOf(''))
    await page.locator('.monaco-editor').first().click()
    await page.keyboard.type('console.log(6 * 7)')
    const url = page.url()
    expect((await run()).lines).toEqual(['42'])
    expect(url).not.toBe(`${site.origin}/playground${await fragmentOf('')}`)
  })

  it('names mistakes in types with their lines, and runs the program', async () => {
    await open(await fragmentOf("import { connect } from 'rowkey'\nconnect(5)"))
    const { state, lines } = await run()
    expect(state).toBe('Ended with an error.')
    expect(lines[0]).toBe(
      "Line 2: Argument of type 'number' is not assignable to parameter of type 'string | ConnectOptions'.",
    )
    expect(lines.join('\n')).toContain('InvalidTarget')
  })

  it.each([
    ["import 'node:fs'", 'The playground has no module "node:fs". Import one of these: rowkey,'],
    ["throw new TypeError('broken')", 'TypeError: broken'],
    ['const = 5', 'Line 1: Variable declaration expected.'],
  ])('says why %s fails', async (code, message) => {
    await open(await fragmentOf(code))
    const { state, lines } = await run()
    expect(state).toBe('Ended with an error.')
    expect(lines.join('\n')).toContain(message)
  })

  it('names the line of the program that an error came from, and marks it', async () => {
    await open(
      await fragmentOf(`import { connect, Entity, PartitionKey, RowKey } from 'rowkey'

@Entity('people')
class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}

const people = connect('memory:').table(Person)
await people.create()
await people.get(['Smith', 'Jeff'])`),
    )
    const text = (await run()).lines.join('\n')
    expect(text).toContain('EntityNotFoundError')
    expect(text).toContain('main.ts:11:')
    expect(text).not.toMatch(/worker\.js|blob:/)
    await page.locator('.squiggly-error').waitFor()
  })

  it.each(examples)('offers the example "%s", which runs', async (title, name, block) => {
    await open(await fragmentOf(''))
    await page.getByLabel('Examples').selectOption({ label: title })
    await page.waitForFunction(() => !location.hash.startsWith('#page='))
    const file = await page.request.get(`${site.origin}/playground/pages/${name}.json`)
    const programs: BlockProgram[] = await file.json()
    const { state, lines } = await run()
    expect(state).toBe('Ended.')
    expect(lines).toEqual(expect.arrayContaining(remarksOf(programs[block]?.code ?? '')))
  })

  it('stops a program that never ends', async () => {
    await open(await fragmentOf("console.log('begins')\nfor (;;) {}"))
    await page.getByRole('button', { name: 'Run' }).click()
    await page.locator('[data-results] pre').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    expect(await page.evaluate(() => stateOf())).toBe('Stopped.')
    await open(await fragmentOf('console.log(1)'))
    expect((await run()).lines).toEqual(['1'])
  })

  it.each([
    ['#code=x', 'This link is incomplete: the program in its address cannot be read.'],
    ['#page=tour&block=99', 'No page has the program that "#page=tour&block=99" names.'],
    ['#page=nothing&block=0', 'No page has the program that "#page=nothing&block=0" names.'],
  ])('says that it cannot open %s', async (fragment, message) => {
    const other = await (await site.open()).newPage()
    await other.goto(`${site.origin}/playground${fragment}`)
    await other.getByText(message).waitFor()
    await other.context().close()
  })

  it('has no serious fault of accessibility', async () => {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate(() =>
      // The editor is other people's work, with a name of its own.
      (globalThis as unknown as { axe: typeof axe }).axe.run(
        { exclude: ['.monaco-editor'] },
        { rules: { 'label-content-name-mismatch': { enabled: false } } },
      ),
    )
    const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
    expect(serious.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })
})

describe('the blocks of the pages', () => {
  const folder = join(import.meta.dirname, '../../../site/dist/playground/pages')
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const programs: BlockProgram[] = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const last = programs.findLastIndex(({ runs }) => runs)
      return [file.replace(/\.json$/, ''), last, programs[last]?.code ?? ''] as const
    })
    .filter(([, last]) => last >= 0)

  it('open in the playground on most pages', () => {
    expect(pages.length).toBeGreaterThan(25)
  })

  it.each(pages)('print what their remarks say: %s', async (name, block, code) => {
    await open(`#page=${name}&block=${block}`)
    const { state, lines } = await run()
    expect([state, lines.filter((line) => /^Line \d+: /.test(line))]).toEqual(['Ended.', []])
    expect(lines).toEqual(expect.arrayContaining(remarksOf(code)))
  })

  it('have a link that opens them, and load nothing of the playground themselves', async () => {
    const reader = await (await site.open()).newPage()
    const asked: string[] = []
    reader.on('request', (request) => asked.push(request.url()))
    await reader.goto(`${site.origin}/queries`)
    const link = reader.getByRole('link', { name: 'Run it in the playground' })
    await link.first().waitFor()
    expect(asked.filter((url) => /\/playground\/.*\.(?:js|json)$/.test(url))).toEqual([])
    await link.first().click()
    await reader.getByRole('button', { name: 'Run' }).waitFor()
    await reader.waitForFunction(() => location.hash.startsWith('#code='))
    await reader.context().close()
  })

  it('ask no other host for anything', () => {
    expect(site.outside).toEqual([])
  })
})
