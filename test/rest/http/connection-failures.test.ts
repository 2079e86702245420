import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import {
  isConnectionFailure,
  transportErrorOf,
} from '../../../packages/rest/src/http/connection-failures.ts'
import { read, write } from '../people.ts'

const failure = (code: string) => Object.assign(new Error('c2VjcmV0'), { code })

describe('transportErrorOf', () => {
  it.each([
    ['ECONNREFUSED', 'refused'],
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['UND_ERR_DESTROYED', 'closed'],
    ['EHOSTUNREACH', 'other'],
    ['constructor', 'other'],
  ])('maps %s before sending to %s', (code, reason) => {
    const error = transportErrorOf(failure(code), write, false)
    expect(error).toMatchObject({
      code: 'ConnectionFailed',
      failure: reason,
      mayHaveApplied: false,
      message: expect.stringContaining(write.origin),
    })
  })

  it.each([
    ['http://127.0.0.1:10002', "'npx rowkey serve' (ECONNREFUSED)"],
    ['http://localhost:10002', "'npx rowkey serve' (ECONNREFUSED)"],
    ['http://[::1]:5000', "'npx rowkey serve --port 5000' (ECONNREFUSED)"],
    ['http://localhost', "'npx rowkey serve --port 80' (ECONNREFUSED)"],
  ])('says how to start a service that is refused at %s', (origin, command) => {
    const { message } = transportErrorOf(failure('ECONNREFUSED'), { ...write, origin }, false)
    expect(message).toContain(command)
  })

  it.each([
    ['ECONNREFUSED', 'https://127.0.0.1:10002'],
    ['ECONNREFUSED', 'http://127.0.0.1.evil.example:10002'],
    ['ECONNREFUSED', 'https://contoso.table.core.windows.net'],
    ['ENOTFOUND', 'http://localhost:10002'],
  ])('does not name the command after %s of %s', (code, origin) => {
    const { message } = transportErrorOf(failure(code), { ...write, origin }, false)
    expect(message).not.toContain('rowkey serve')
  })

  it.each([
    [write, true],
    [read, false],
  ])('says that the outcome of a sent write is unknown', (request, mayHaveApplied) => {
    const error = transportErrorOf(failure('ECONNREFUSED'), request, true)
    expect(error).toMatchObject({ code: 'TransportFailed', mayHaveApplied })
  })

  it('uses the class of an error without a code', () => {
    expect(transportErrorOf(new TypeError('x'), read, true).message).toContain('TypeError')
  })

  it('shows neither the query nor the message of the socket', () => {
    const request = { ...write, query: 'sig=c2VjcmV0' }
    expect(transportErrorOf(failure('ECONNRESET'), request, true).message).not.toContain('c2VjcmV0')
    expect(transportErrorOf(failure('ENOTFOUND'), request, false).message).not.toContain('c2VjcmV0')
  })

  it.each([true, false])('keeps the error of the socket, but not what it received', (sent) => {
    const received = { data: 'authorization: c2VjcmV0', cause: new Error('sig=c2VjcmV0') }
    const said = Object.assign(new TypeError('Bad head: sig=c2VjcmV0'), { code: 'HPE_INVALID' })
    const error = transportErrorOf(Object.assign(said, received), write, sent)
    expect(error.cause).toMatchObject({
      name: 'TypeError',
      code: 'HPE_INVALID',
      message: 'Bad head: sig=<redacted>',
    })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('c2VjcmV0')
  })
})

describe('isConnectionFailure', () => {
  it.each([
    ['ECONNREFUSED', true],
    ['ENOTFOUND', true],
    ['UND_ERR_CONNECT_TIMEOUT', true],
    ['CERT_HAS_EXPIRED', true],
    ['ECONNRESET', false],
    ['EPROTO', false],
    ['UND_ERR_CLOSED', false],
    ['UND_ERR_SOCKET', false],
  ])('tells whether %s can only occur before sending: %s', (code, isOne) => {
    expect(isConnectionFailure(failure(code))).toBe(isOne)
  })
})
