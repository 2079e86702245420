// Opens page.mjs in a real browser. BROWSER is `chromium`, which @sparticuz/chromium brings, or the path of a Firefox.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import chromium from '@sparticuz/chromium'
import puppeteer from 'puppeteer-core'
import { connect } from 'rowkey'

/** That package turns CORS off, which is what this program tests. */
const args = chromium.args.filter((arg) => !/web-security|insecure-content/.test(arg))

const { BROWSER = 'chromium' } = process.env

const server = createServer((request, response) => {
  const isScript = request.url === '/page.mjs'
  response.writeHead(200, { 'content-type': isScript ? 'text/javascript' : 'text/html' })
  response.end(
    isScript
      ? readFileSync('out/page.mjs')
      : '<!doctype html><script type="module" src="/page.mjs"></script>',
  )
})
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${server.address().port}`

const account = connect(process.env.TABLES)
const { token } = account.sas({
  permissions: 'rwdlacu',
  resourceTypes: 'sco',
  expiry: new Date(Date.now() + 3_600_000),
})
const sasUrl = `${/TableEndpoint=([^;]*)/.exec(process.env.TABLES)[1]}?${token}`

const browser = await puppeteer.launch(
  BROWSER === 'chromium'
    ? { executablePath: await chromium.executablePath(), args }
    : { browser: 'firefox', executablePath: BROWSER },
)
try {
  console.log(await browser.version())
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  await page.goto(origin)
  await page.waitForFunction(() => globalThis.conformance !== undefined)

  const inPage = (name, argument) =>
    page.evaluate((call, given) => globalThis[call](given), name, argument)
  must(await inPage('keyInPage', process.env.TABLES), /account key must not be used in browsers/)
  must(await inPage('refusal', sasUrl), /^TransportError cors: .*CORS.*allowedOrigins/s)
  await account.properties.set({
    cors: [
      {
        allowedOrigins: [origin],
        allowedMethods: ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'],
        allowedHeaders: ['*'],
        exposedHeaders: ['etag', 'x-ms-*'],
        maxAgeInSeconds: 3600,
      },
    ],
  })
  console.log(await inPage('conformance', sasUrl))
} finally {
  await browser.close()
  await account.close()
  server.close()
}

function must(text, pattern) {
  if (!pattern.test(text)) throw new Error(`${text} does not match ${pattern}`)
}
