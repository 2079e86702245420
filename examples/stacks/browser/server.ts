import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { Account } from 'rowkey'
import { Note } from './note.ts'

const QUARTER_HOUR = 15 * 60_000

/**
 * The server of the page: it signs in users, and lets each of them use their own rows.
 *
 * @param account - the account, with its key
 * @param userOf - tells who sends a request; a real program reads its session
 */
export function notesServer(account: Account, userOf: () => string): Server {
  const notes = account.table(Note)
  const files: Readonly<Record<string, readonly [path: string, type: string]>> = {
    '/': ['browser/index.html', 'text/html'],
    '/page.mjs': ['out/browser/page.mjs', 'text/javascript'],
  }
  return createServer(async ({ url = '', method }, response) => {
    const user = userOf()
    const file = files[url]
    if (file !== undefined) {
      response.setHeader('content-type', file[1]).end(await readFile(file[0]))
    } else if (url === '/account') {
      const { origin, basePath } = account.service.endpoint
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ endpoint: origin + basePath, user }))
    } else if (url === '/signature' && method === 'POST') {
      const partition = { partitionKey: user }
      const expiry = new Date(Date.now() + QUARTER_HOUR)
      const { token } = notes.sas({ permissions: 'ra', expiry, from: partition, to: partition })
      response.setHeader('cache-control', 'no-store').end(token)
    } else {
      response.writeHead(404).end()
    }
  })
}

/** Lets pages of an origin use the account. Do this once, when you deploy. */
export async function allowPages(account: Account, origin: string): Promise<void> {
  const properties = await account.properties.get()
  await account.properties.set({
    ...properties,
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
}
