import { readFileSync } from 'node:fs'
import { localTableService } from '@rowkey/local'
import type { HttpMethod, HttpResponse } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { KEY, sign } from '../support/local-conversation.ts'

interface Exchange {
  readonly request: {
    method: string
    target: string
    headers: Record<string, string>
    body: string
  }
  readonly response: HttpResponse
}

const { conversations } = JSON.parse(
  readFileSync(new URL('../vectors/recorded-conversations.json', import.meta.url), 'utf8'),
) as { conversations: { title: string; exchanges: Exchange[] }[] }

/** The recorder's account, in host style. */
const account = 'myaccount'
const origin = `https://${account}.table.core.windows.net`

/** What differs from one run to the next: stamps, ids and boundaries. */
const settled = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d\.\d{1,7}Z/g, '<stamp>')
    .replace(/RequestId:[-\w]+/g, 'RequestId:<id>')
    .replace(/(batchresponse|changesetresponse)_[-\w]+/g, '$1_<id>')
    .replace(/\r\n/g, '\n')

const settledAll = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, settled(text)]))

const tableIn = ({ target, body }: Exchange['request']) =>
  /^\/(\w+)/.exec(target)?.[1] ?? /^[A-Z]+ (?:https:\/\/[^/]+)?\/(\w+)/m.exec(body)?.[1]

function openAccount() {
  const local = localTableService({ accounts: [{ name: account, key: KEY }] })
  return ({ method, target, headers, body }: Exchange['request']) => {
    const [path = '', query = ''] = target.split(/\?(.*)/s)
    const date = new Date().toUTCString()
    const component = query.split('&').find((pair) => pair.startsWith('comp='))
    const resource = `/${account}${path}${component === undefined ? '' : `?${component}`}`
    const authorization = `SharedKeyLite ${account}:${sign(`${date}\n${resource}`)}`
    return local.transport({
      method: method as HttpMethod,
      origin,
      path,
      query,
      headers: { ...headers, 'x-ms-date': date, authorization },
      body: body || undefined,
    })
  }
}

const creationOf = (table: string): Exchange['request'] => ({
  method: 'POST',
  target: '/Tables',
  headers: { accept: 'application/json;odata=nometadata' },
  body: JSON.stringify({ TableName: table }),
})

describe('what Azure Table Storage was recorded to answer', () => {
  it.each(conversations)('is answered letter for letter: $title', async ({ exchanges }) => {
    const send = openAccount()
    for (const table of new Set(exchanges.map(({ request }) => tableIn(request)))) {
      if (table !== undefined) await send(creationOf(table))
    }
    for (const { request, response } of exchanges) {
      const answer = await send(request)
      expect(answer.status).toBe(response.status)
      expect(settled(answer.body)).toBe(settled(response.body))
      expect(settledAll(answer.headers)).toMatchObject(settledAll(response.headers))
    }
  })
})
