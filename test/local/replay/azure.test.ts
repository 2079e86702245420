import { describe, expect, it, onTestFinished } from 'vitest'
import { preparedRequest } from './azure-requests.ts'
import { stateBefore } from './azure-state.ts'
import { headersOf, type RecordedExchange, Replay, readRecording } from './recording.ts'

const ACCOUNT = 'myaccount'

/**
 * Timestamps at this moment do not end in a zero, so each has a fraction, like the recorded ones.
 */
const NOON = Date.UTC(2026, 10, 20, 12, 0, 0, 123)

/** The other exchanges were recorded at Cosmos DB, which responds differently. */
const exchanges = readRecording('azure-service')
  .filter(({ service }) => service === 'azure-storage')
  .map((exchange) => ({ ...exchange, request: preparedRequest(exchange, NOON) }))

/** Groups the exchanges that follow each other in one recording. */
function conversations(): readonly (readonly RecordedExchange[])[] {
  const all: RecordedExchange[][] = []
  for (const exchange of exchanges) {
    const last = all.at(-1)
    if (exchange.name.startsWith('test_') && last?.[0]?.name === exchange.name) last.push(exchange)
    else all.push([exchange])
  }
  return all
}

/** Headers that differ from run to run, or that name the server. */
const VOLATILE = new Set(['date', 'server', 'x-ms-request-id'])

/**
 * Replaces timestamps, ids, boundaries, and the token of a list of tables, which only the service
 * can read.
 */
const settled = (text: string) =>
  text
    .replace(/\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d\.\d{1,7}Z/g, '<stamp>')
    .replace(/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/g, '<date>')
    .replace(/RequestId:[-\w]+/g, 'RequestId:<id>')
    .replace(/(batchresponse|changesetresponse)_[-\w]+/g, '$1_<id>')
    // These tests have no certificate for https.
    .replaceAll('https://myaccount', 'http://myaccount')
    // One recording of a part lacks this header; all others have it.
    .replace(/Cache-Control: no-cache\r?\n/g, '')
    .replace(/\r\n/g, '\n')

const settledHeaders = (headers: RecordedExchange['response']['headers']) =>
  Object.fromEntries(
    Object.entries(headersOf(headers))
      .filter(([name]) => !VOLATILE.has(name))
      .map(([name, text]) => [
        name,
        name === 'x-ms-continuation-nexttablename' ? '<token>' : settled(text),
      ]),
  )

/** Sets the ETag of the stored row on a write that must succeed. A stale ETag stays stale. */
function withLiveETag(exchange: RecordedExchange, etag: string | undefined): RecordedExchange {
  const { request, response } = exchange
  const recorded = headersOf(request.headers)['if-match']
  if (etag === undefined || recorded === undefined || response.status === 412) return exchange
  return {
    ...exchange,
    request: { ...request, headers: { ...headersOf(request.headers), 'if-match': etag } },
  }
}

describe.each(['in process', 'over HTTP'])('the recorded responses of Azure, %s', (way) => {
  it('are complete', () => {
    expect(exchanges).toHaveLength(115)
  })

  it.each(conversations().map((one) => [one[0]?.name, one] as const))(
    'R-132: match letter for letter: %s',
    async (_, conversation) => {
      const replay = new Replay(ACCOUNT, { bearer: (token) => token === 'token' })
      replay.now = NOON
      onTestFinished(() => replay.close())
      if (way === 'over HTTP') await replay.listen()
      let etag: string | undefined
      for (const exchange of stateBefore(conversation)) {
        const made = await replay.send(preparedRequest(exchange, NOON))
        expect(made.status, made.body).toBe(204)
        etag = made.headers.etag
      }
      for (const exchange of conversation) {
        const ours = await replay.send(withLiveETag(exchange, etag).request)
        const { response } = exchange
        expect(ours.status).toBe(response.status)
        // A client that decodes UTF-8 drops the byte order mark.
        const { body } = response
        const shown = way === 'over HTTP' ? body.replace(/^\uFEFF/, '') : body
        expect(settled(ours.body)).toBe(settled(shown))
        expect(settledHeaders(ours.headers)).toMatchObject(settledHeaders(response.headers))
      }
    },
  )
})
