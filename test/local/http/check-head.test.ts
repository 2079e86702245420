import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { checkHead, readRequestHead } from '../../../packages/local/src/http/incoming-request.ts'

const check = (method: string, headers: Record<string, string>, url = '/a') => {
  const rawHeaders = Object.entries(headers).flat()
  const message = { method, url, headers, rawHeaders } as unknown as IncomingMessage
  checkHead(message, readRequestHead(message))
}
const code = (expected: string) => expect.objectContaining({ code: expected })

describe('checkHead', () => {
  it('accepts every verb of the service, and those with a body by its length', () => {
    const headers = { host: 'a', 'content-length': '0' }
    for (const method of ['DELETE', 'GET', 'HEAD', 'MERGE', 'OPTIONS', 'PATCH', 'POST', 'PUT']) {
      expect(() => check(method, headers)).not.toThrow()
    }
    expect(() => check('POST', { host: 'a', 'transfer-encoding': 'chunked' })).not.toThrow()
    expect(() => check('DELETE', { host: 'a' })).not.toThrow()
  })

  it.each(['a', 'a_b.c:1', '127.0.0.1:10002', '[::1]:10002', '[::ffff:1.2.3.4]', 'a.'])(
    'accepts the host %s',
    (host) => {
      expect(() => check('GET', { host })).not.toThrow()
    },
  )

  it.each(['a b', 'a"', '<a>', 'a/b', 'a@b', '表', 'Ã©', 'a:b', '[::1', 'a:1:2', '\\'])(
    'rejects the host %s, which would be in the addresses of the response',
    (host) => {
      expect(() => check('GET', { host })).toThrow(code('InvalidHeaderValue'))
    },
  )

  it.each(['gzip', 'gzip, chunked', 'identity'])(
    'rejects the Transfer-Encoding %s, because it would read the coded bytes as text',
    (coding) => {
      const headers = { host: 'a', 'transfer-encoding': coding }
      expect(() => check('POST', headers)).toThrow(code('NotImplemented'))
    },
  )

  it('rejects an unknown verb, a body without length, a missing host, and a missing path', () => {
    expect(() => check('TRACE', { host: 'a' })).toThrow(code('UnsupportedHttpVerb'))
    expect(() => check('MERGE', { host: 'a' })).toThrow(code('MissingContentLengthHeader'))
    expect(() => check('GET', {})).toThrow(code('HostInformationNotPresent'))
    expect(() => check('GET', { host: 'a' }, '*')).toThrow(code('InvalidUri'))
  })
})
