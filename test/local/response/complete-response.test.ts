import { FilterSyntaxError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { Rejection } from '../../../packages/local/src/rejection/rejection.ts'
import {
  completeResponse,
  isVersion,
} from '../../../packages/local/src/response/complete-response.ts'
import { jsonRejection } from '../../../packages/local/src/response/rejection-response.ts'

const response = { status: 200, headers: { etag: 'x' }, body: 'y' }
const write = (requestHeaders: Record<string, string>, query = '') =>
  completeResponse(response, { requestHeaders, query, requestId: 'id-1', now: 0 })

describe('completeResponse', () => {
  it('adds the headers of every response', () => {
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

  it('adds no Cache-Control to the rejection of a filter that cannot be parsed', () => {
    const cause = new FilterSyntaxError({ message: 'unexpected', position: 0 })
    const rejection = new Rejection('InvalidInput', { cause })
    const rejected = jsonRejection(rejection, { requestId: 'id-1', now: 0, accept: undefined })
    const { headers } = completeResponse(rejected, {
      requestHeaders: {},
      query: '',
      requestId: 'id-1',
      now: 0,
    })
    expect(headers).not.toHaveProperty('cache-control')
    expect(headers['x-content-type-options']).toBe('nosniff')
  })

  it.each([
    [{}, 'sv=2015-04-05&sig=x', '2015-04-05'],
    [{}, '$top=1&api-version=2018-03-28', '2018-03-28'],
    [{}, 'sv=2015-04-05&api-version=2018-03-28', '2018-03-28'],
    [{ 'x-ms-version': '2019-07-07' }, 'sv=2015-04-05', '2019-07-07'],
    [{}, 'sv=new', '2019-02-02'],
    [{ 'x-ms-version': 'new' }, 'sv=2015-04-05', '2019-02-02'],
  ])('uses the version of %o and %s for %s', (headers, query, version) => {
    expect(write(headers, query).headers['x-ms-version']).toBe(version)
  })

  it('repeats the client id unless a header cannot contain it', () => {
    const echoOf = (id: string) =>
      write({ 'x-ms-client-request-id': id }).headers['x-ms-client-request-id']
    expect(echoOf('a b')).toBe('a b')
    expect(echoOf('é')).toBeUndefined()
    expect(echoOf('a\r\nb')).toBeUndefined()
    expect(echoOf('a'.repeat(1025))).toBeUndefined()
  })
})

describe('isVersion', () => {
  it.each(['2009-04-14', '2014-02-14', '2019-02-02', '2026-06-06'])('is a day: %s', (text) => {
    expect(isVersion(text)).toBe(true)
  })

  it.each(['2019-2-2', '', 'x', '2019-13-02', '2019-02-32', '2019-00-02', '0000-00-00'])(
    'is invalid otherwise: "%s"',
    (text) => {
      expect(isVersion(text)).toBe(false)
    },
  )
})
