import { describe, expect, it } from 'vitest'
import { isVersion, writeAnswer } from '../../../packages/local/src/http/write-answer.ts'

const answer = { status: 200, headers: { etag: 'x' }, body: 'y' }
const write = (requestHeaders: Record<string, string>) =>
  writeAnswer(answer, { requestHeaders, requestId: 'id-1', now: 0 })

describe('writeAnswer', () => {
  it('adds what every answer says', () => {
    expect(write({})).toEqual({
      status: 200,
      headers: {
        'cache-control': 'no-cache',
        server: 'Rowkey-Local-Table/1.0',
        'x-content-type-options': 'nosniff',
        'x-ms-request-id': 'id-1',
        'x-ms-version': '2019-02-02',
        date: 'Thu, 01 Jan 1970 00:00:00 GMT',
        etag: 'x',
      },
      body: 'y',
    })
  })

  it('gives the client its id back, unless no header can hold it', () => {
    const echoOf = (id: string) =>
      write({ 'x-ms-client-request-id': id }).headers['x-ms-client-request-id']
    expect(echoOf('a b')).toBe('a b')
    expect(echoOf('é')).toBeUndefined()
    expect(echoOf('a\r\nb')).toBeUndefined()
    expect(echoOf('a'.repeat(1025))).toBeUndefined()
  })
})

describe('isVersion', () => {
  it('is a date', () => {
    expect(['2019-02-02', '2019-2-2', '', 'x'].map(isVersion)).toEqual([true, false, false, false])
  })
})
