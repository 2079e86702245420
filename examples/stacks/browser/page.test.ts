import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import chromium from '@sparticuz/chromium'
import puppeteer, { type Browser } from 'puppeteer-core'
import { connect } from 'rowkey'
import { Note } from './note.ts'
import { allowPages, notesServer } from './server.ts'

/** That package turns off what the test shows: which pages may use the account. */
const args = chromium.args.filter((arg) => !/web-security|insecure-content/.test(arg))

/** `BROWSER` is `chromium`, or the path of a Firefox, which needs no driver. */
async function launch(): Promise<Browser> {
  const { BROWSER = 'chromium' } = process.env
  return puppeteer.launch(
    BROWSER === 'chromium'
      ? { executablePath: await chromium.executablePath(), args }
      : { browser: 'firefox', executablePath: BROWSER },
  )
}

test('a page adds and shows notes of its user', async () => {
  await using account = connect(process.env.TABLES ?? '')
  const notes = account.table(Note)
  await notes.create()
  await notes.insert({ user: 'bob', id: '1', text: 'of another user' })

  let user = 'ann'
  const server = notesServer(account, () => user)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await launch()
  try {
    console.log(await browser.version())
    const page = await browser.newPage()
    const shows = (text: string | RegExp) =>
      page.waitForFunction(
        (pattern) => new RegExp(pattern).test(document.querySelector('output')?.textContent ?? ''),
        { timeout: 20_000 },
        typeof text === 'string' ? `^${text}$` : text.source,
      )
    const items = () => page.$$eval('li', (found) => found.map(({ textContent }) => textContent))

    await page.goto(origin)
    await shows(/TransportError.*CORS.*allowedOrigins/)
    await allowPages(account, origin)
    await page.goto(origin)
    await shows('0 notes')
    await page.type('input', 'Grüße <b>an</b> Zoë 😀')
    await page.click('button')
    await shows('1 notes')
    assert.deepEqual(await items(), ['Grüße <b>an</b> Zoë 😀'])
    const [stored] = await notes.query().where({ user: 'ann' }).toArray()
    assert.equal(stored?.text, 'Grüße <b>an</b> Zoë 😀')

    user = 'bob'
    await page.goto(origin)
    await shows('1 notes')
    assert.deepEqual(await items(), ['of another user'])
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
})
