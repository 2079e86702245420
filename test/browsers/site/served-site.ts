/** The built site on a port of this machine, and a browser that sees nothing else. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { openBrowser } from '../browser.ts'

const dist = join(import.meta.dirname, '../../../site/dist')

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** A browser on the built site. */
export interface ServedSite {
  /** Where the site is, without a slash at the end. */
  readonly origin: string
  readonly browser: Browser
  /** Addresses outside the site that a page asked for. */
  readonly outside: readonly string[]
  /** Opens a window of its own, without memory of others. */
  open(options?: BrowserContextOptions): Promise<BrowserContext>
  close(): Promise<void>
}

/** Serves site/dist and starts a browser. */
export async function serveSite(): Promise<ServedSite> {
  const server = createServer(async ({ url = '/' }, response) => {
    const path = decodeURIComponent(url.replace(/[?#].*/, ''))
    const file = path.endsWith('/') ? `${path}index.html` : path
    for (const name of [file, `${file}.html`]) {
      const content = await readFile(join(dist, name)).catch(() => undefined)
      if (content === undefined) continue
      const type = TYPES[extname(name)] ?? 'application/octet-stream'
      response.writeHead(200, { 'content-type': type }).end(content)
      return
    }
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const browser = await openBrowser()
  const outside: string[] = []
  return {
    origin,
    browser,
    outside,
    async open(options) {
      const context = await browser.newContext({
        viewport: { width: 1400, height: 900 },
        ...options,
      })
      // A limit against hanging, not a measure: the first program waits for a compiler.
      context.setDefaultTimeout(100_000)
      context.on('request', (request) => {
        const url = request.url()
        if (!/^(?:blob|data):/.test(url) && !url.startsWith(`${origin}/`)) outside.push(url)
      })
      return context
    },
    async close() {
      await browser.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
