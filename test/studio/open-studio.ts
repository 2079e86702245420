import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RowTypes } from '../../packages/studio/src/server/row-types.ts'
import { listen } from '../../packages/studio/src/server/studio-server.ts'
import { openTables, type Tables } from '../cli/with-tables.ts'

/** A response of a studio. */
export interface StudioResponse {
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** What is sent besides a cookie. */
export interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** A studio over an embedded service, for one test. */
export interface OpenStudio extends AsyncDisposable {
  readonly tables: Tables
  readonly url: URL
  readonly port: number
  /** The header that the browser that was let in sends. */
  readonly cookie: string
  /** Sends a request as it is. */
  send(path: string, sent?: Sent): Promise<StudioResponse>
  /** Sends a GET with the cookie, and reads JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what the page reads
  get(path: string, values: Readonly<Record<string, string>>): Promise<any>
  /** Sends a POST with the cookie, and reads the status and JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what the page reads
  post(path: string, values: object): Promise<{ readonly status: number | undefined; json: any }>
}

/** Starts a studio and lets one browser in. */
export async function openStudio(
  settings: {
    readonly isWritable?: boolean
    readonly types?: RowTypes
    readonly publicUrl?: URL
  } = {},
): Promise<OpenStudio> {
  const { isWritable = false, types = new RowTypes() } = settings
  const tables = await openTables()
  const folder = await mkdtemp(join(tmpdir(), 'rowkey-page-'))
  for (const file of ['index.html', 'studio.js', 'studio.css', 'icon.svg']) {
    await writeFile(join(folder, file), `the file ${file}`)
  }
  let made = 0
  const studio = await listen({
    account: tables.account,
    types,
    port: 0,
    publicUrl: settings.publicUrl,
    folder,
    facts: { account: 'devstoreaccount1', place: 'here', target: [], isWritable },
    random: () => `secret-${++made}`,
  })
  const url = new URL(studio.url)
  const { port } = studio
  const cookie = `rowkey-studio-${port}=secret-1`
  const send = (path: string, sent: Sent = {}) => sendTo(port, path, sent)
  return {
    tables,
    url,
    port,
    cookie,
    send,
    async get(path, values) {
      const { text } = await send(`${path}?${new URLSearchParams(values)}`, { headers: { cookie } })
      return JSON.parse(text)
    },
    async post(path, values) {
      const headers = { cookie, 'content-type': 'application/json' }
      const { status, text } = await send(path, {
        method: 'POST',
        headers,
        body: JSON.stringify(values),
      })
      return { status, json: text === '' ? undefined : JSON.parse(text) }
    },
    async [Symbol.asyncDispose]() {
      await studio.close()
      await tables[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

function sendTo(port: number, path: string, { body, ...sent }: Sent): Promise<StudioResponse> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, ...sent }, async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve({ status: response.statusCode, headers: response.headers, text })
    })
    outgoing.on('error', reject).end(body)
  })
}
