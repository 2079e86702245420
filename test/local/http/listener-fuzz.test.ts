import { connect } from 'node:net'
import { type LocalListener, localTableService } from '@rowkey/local'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { ACCOUNT, KEY, sign } from '../../support/local-conversation.ts'

const piece = fc.constantFrom(
  `/${ACCOUNT}`,
  `/${ACCOUNT}-secondary`,
  '/people',
  '/Tables',
  '/$batch',
  '()',
  "('",
  "')",
  "(PartitionKey='a',RowKey='b')",
  '%00',
  '%ff',
  '%',
  '..',
  '//',
  'é',
)
const target = fc
  .tuple(fc.array(piece, { maxLength: 5 }), fc.option(fc.string({ maxLength: 20 })))
  .map(([pieces, query]) => `${pieces.join('') || '/'}${query === null ? '' : `?${query}`}`)
const verb = fc.oneof(
  fc.constantFrom('GET', 'POST', 'PUT', 'MERGE', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'),
  fc.string({ maxLength: 6 }),
)
const header = fc.oneof(
  fc.constantFrom(
    'Content-Length: 5',
    'Content-Length: -1',
    'Content-Length: 99999999999999999999',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked',
    'Expect: 100-continue',
    'Upgrade: h2c',
    'Host: ',
    'If-Match: "',
    'X-HTTP-Method: MERGE',
    'Content-Type: multipart/mixed; boundary=b',
    'Origin: http://example.com',
    'x-ms-version: 9999-99-99',
  ),
  fc.string({ maxLength: 30 }),
)
const body = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    '{',
    '{"a":',
    '5\r\nabcde\r\n0\r\n\r\n',
    'zz\r\n',
    '--b\r\n\r\n--b--',
    '[[[[[[[[',
  ),
)

describe('a listener', () => {
  const local = localTableService({
    accounts: [{ name: ACCOUNT, key: KEY }],
    onInternalError: (error) => failures.push(error),
  })
  const failures: unknown[] = []
  let listener: LocalListener

  beforeAll(async () => {
    listener = await local.listen({ port: 0 })
  })

  afterAll(() => local.close())

  /** Sends bytes that may be invalid HTTP, and returns the status of the first response, if any. */
  const converse = (bytes: string) =>
    new Promise<number | undefined>((resolve) => {
      const socket = connect(listener.port, '127.0.0.1')
      let heard = ''
      socket.on('data', (chunk) => {
        heard += chunk.toString('latin1')
      })
      socket.on('error', () => {})
      socket.on('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(heard)?.[1]) || undefined))
      socket.end(Buffer.from(bytes, 'latin1'))
    })

  longTest(
    'never responds to random bytes with an internal error, and continues to serve',
    async () => {
      const request = fc.record({
        verb,
        target,
        headers: fc.array(header, { maxLength: 4 }),
        body,
        isSigned: fc.boolean(),
        isWhole: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(request, async (said) => {
          const date = new Date().toUTCString()
          const path = said.target.split('?')[0]
          const proof = `x-ms-date: ${date}\r\nAuthorization: SharedKeyLite ${ACCOUNT}:${sign(`${date}\n/${ACCOUNT}${path}`)}`
          const lines = [
            `${said.verb} ${said.target} HTTP/1.1`,
            'Host: localhost',
            ...(said.isSigned ? [proof] : []),
            ...said.headers,
            ...(said.isWhole ? [`Content-Length: ${said.body.length}`] : []),
            'Connection: close',
          ]
          const status = await converse(`${lines.join('\r\n')}\r\n\r\n${said.body}`)
          expect(status ?? 400).toSatisfy((one: number) => one < 500 || one === 501)
          expect(failures).toEqual([])
        }),
        { numRuns: 400 },
      )
      const date = new Date().toUTCString()
      const path = `/${ACCOUNT}/Tables`
      const response = await fetch(`http://127.0.0.1:${listener.port}${path}`, {
        headers: {
          'x-ms-date': date,
          accept: 'application/json',
          authorization: `SharedKeyLite ${ACCOUNT}:${sign(`${date}\n/${ACCOUNT}${path}`)}`,
        },
      })
      expect(response.status).toBe(200)
    },
  )
})
