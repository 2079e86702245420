import type { HttpResponse } from '@rowkey/rest'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cosmosRequest, cosmosStateBefore, preparing } from './cosmos-state.ts'
import {
  headersOf,
  type RecordedExchange,
  type RecordedRequest,
  Replay,
  readRecording,
} from './recording.ts'

/** Timestamps at this moment do not end in a zero. */
const NOON = Date.UTC(2026, 10, 20, 12, 0, 0, 123)

const exchanges = readRecording('cosmos')

/** The pages of one query follow each other; every other exchange stands for itself. */
function conversations(): readonly (readonly RecordedExchange[])[] {
  const all: RecordedExchange[][] = []
  for (const exchange of exchanges) {
    const isNextPage = /NextPartitionKey=|NextTableName=/.test(exchange.request.path)
    if (isNextPage) all.at(-1)?.push(exchange)
    else all.push([exchange])
  }
  return all
}

const settled = (text: string) =>
  text
    .replace(/datetime'[^']*'/g, "datetime'<stamp>'")
    .replace(/"Timestamp":"[-\dT:]{19}\.\d{7}Z"/g, '"Timestamp":"<stamp>"')
    .replace(/ActivityId: .*?(?=\\nRequestID)/g, 'ActivityId: <activity>')
    .replace(/RequestID:[-\w]+/g, 'RequestID:<id>')
    .replace(/(batchresponse|changesetresponse)_[-\w]+/g, '$1_<id>')
    // In 2020 the first boundary ended in LF; in one recording the CRLF after the JSON is unknown.
    .replace(/^(--batchresponse_<id>)\r?\n/, '$1\r\n')
    .replace(/\}\r\n$/, '}')
    // These tests have no certificate for https.
    .replaceAll('https://myaccount', 'http://myaccount')

/** Returns the body of a response: JSON as a value, because the order of members varies. */
const bodyOf = (body: string): unknown =>
  body.startsWith('{') ? JSON.parse(settled(body)) : settled(body)

/** Headers that differ from run to run, that the recorders left out, or that tests compare otherwise. */
const VOLATILE =
  /^(?:content-type|date|x-ms-request-id|x-ms-continuation-nextpartitionkey|x-ms-continuation-nexttablename)$/

function settledHeaders(headers: RecordedExchange['response']['headers']) {
  const kept = Object.entries(headersOf(headers)).filter(([name]) => !VOLATILE.test(name))
  return Object.fromEntries(kept.map(([name, text]) => [name, settled(text)]))
}

/** Returns the token of the next page; it is opaque, and each service makes its own. */
const tokenOf = ({ headers }: Pick<HttpResponse, 'headers'>): string | undefined =>
  headers['x-ms-continuation-nextpartitionkey'] ?? headers['x-ms-continuation-nexttablename']

const TOKEN = /(NextPartitionKey|NextTableName)=[^&]*/

function withToken(request: RecordedRequest, token: string | undefined): RecordedRequest {
  if (token === undefined) return request
  const path = request.path.replace(TOKEN, (_, name) => `${name}=${encodeURIComponent(token)}`)
  return { ...request, path }
}

const ETAG = /W\/"datetime'[^']*'"/

/** Sets the ETag of the stored row on a write that must succeed. A stale ETag stays stale. */
function withLiveETag(exchange: RecordedExchange, etag: string | undefined): RecordedExchange {
  const { request, response } = exchange
  const isStale = response.status === 412 || response.body.includes('UpdateCondition')
  if (etag === undefined || isStale) return exchange
  const headers = { ...request.headers }
  if (ETAG.test(String(headers['If-Match']))) headers['If-Match'] = etag
  return {
    ...exchange,
    request: { ...request, headers, body: request.body?.replace(ETAG, etag) ?? null },
  }
}

interface Page {
  readonly value: readonly unknown[]
}

/** Rows come in no order of keys, so each page has as many rows, and all pages have the same ones. */
function checkPages(ours: readonly unknown[], theirs: readonly unknown[]): void {
  const counts = (bodies: readonly unknown[]) => bodies.map((body) => (body as Page).value.length)
  const rows = (bodies: readonly unknown[]) =>
    bodies.flatMap((body) => (body as Page).value.map((row) => JSON.stringify(sorted(row)))).sort()
  expect(counts(ours)).toEqual(counts(theirs))
  expect(rows(ours)).toEqual(rows(theirs))
}

const sorted = (row: unknown) => Object.entries(Object(row)).sort(([a], [b]) => (a < b ? -1 : 1))

function checkResponse(ours: HttpResponse, exchange: RecordedExchange): void {
  const { response } = exchange
  expect(ours.status, ours.body).toBe(response.status)
  expect(settledHeaders(ours.headers)).toMatchObject(settledHeaders(response.headers))
  expect(tokenOf(ours) === undefined).toBe(
    tokenOf({ headers: headersOf(response.headers) }) === undefined,
  )
  checkType(ours, exchange)
}

/**
 * Compares the content type of a success. The client asked for it, except for one with both `$format`
 * and `Accept`. One MERGE has no content type in its recording; the other four PUT and MERGE have.
 */
function checkType(ours: HttpResponse, { request, response }: RecordedExchange): void {
  const type = headersOf(response.headers)['content-type']?.replace('; odata', ';odata')
  const isAskedTwice = request.method === 'POST' && request.path.includes('$format=')
  const isJson = type?.startsWith('application/json') === true
  if (isJson && response.status < 300 && !isAskedTwice && request.method !== 'DELETE') {
    expect(ours.headers['content-type']).toBe(type)
  }
}

async function prepare(replay: Replay, conversation: readonly RecordedExchange[]) {
  let etag: string | undefined
  for (const write of cosmosStateBefore(conversation)) {
    const made = await replay.send(preparing(write, NOON))
    expect(made.status, made.body).toBe(204)
    // A batch uses the ETag of its first change, and every other write has one row.
    if (write.path !== '/Tables') etag ??= made.headers.etag
  }
  const isThrottled = conversation[0]?.response.status === 429
  if (isThrottled) replay.faults.add({ fault: { kind: 'rejection', code: 'TooManyRequests' } })
  return etag
}

describe.each(['in process', 'over HTTP'])('the recorded responses of Cosmos DB, %s', (way) => {
  it('are complete', () => {
    expect(exchanges).toHaveLength(90)
  })

  it.each(conversations().map((one) => [one[0]?.name, one] as const))(
    'R-177: match those of the flavour cosmos: %s',
    async (_, conversation) => {
      const replay = new Replay('myaccount', { flavour: 'cosmos' })
      replay.now = NOON
      onTestFinished(() => replay.close())
      if (way === 'over HTTP') await replay.listen()
      const etag = await prepare(replay, conversation)
      const bodies: unknown[] = []
      let token: string | undefined
      for (const exchange of conversation) {
        const request = cosmosRequest(withLiveETag(exchange, etag), NOON)
        const ours = await replay.send(withToken(request, token))
        checkResponse(ours, exchange)
        token = tokenOf(ours)
        bodies.push(bodyOf(ours.body))
      }
      const recorded = conversation.map(({ response }) => bodyOf(response.body))
      if (Array.isArray((recorded[0] as Partial<Page>).value)) checkPages(bodies, recorded)
      else expect(bodies).toEqual(recorded)
    },
  )
})
