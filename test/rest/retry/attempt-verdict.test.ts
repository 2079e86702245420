import { ConnectionError, ServiceError, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { isRepeatable, isTransient } from '../../../packages/rest/src/retry/attempt-verdict.ts'

const answered = (status: number, mayHaveApplied = false) =>
  new ServiceError({
    message: 'no',
    status,
    code: 'x',
    requestId: undefined,
    operation: 'insertEntity',
    mayHaveApplied,
  })

describe('isRepeatable', () => {
  it('is true only where nothing was applied', () => {
    expect(isRepeatable(answered(503))).toBe(true)
    expect(isRepeatable(answered(500, true))).toBe(false)
    expect(isRepeatable(new TransportError({ message: 'lost', mayHaveApplied: true }))).toBe(false)
    expect(isRepeatable(new ConnectionError({ message: 'no', failure: 'dns' }))).toBe(true)
  })
})

describe('isTransient', () => {
  it.each([408, 429, 500, 502, 503, 504])('is true of %i', (status) => {
    expect(isTransient(answered(status))).toBe(true)
  })

  it.each([400, 401, 403, 404, 409, 412, 413, 501, 505])('is false of %i', (status) => {
    expect(isTransient(answered(status))).toBe(false)
  })

  it.each([
    ['refused', true],
    ['dns', true],
    ['timeout', true],
    ['other', true],
    ['tls', false],
    ['closed', false],
  ] as const)('of a connection that failed by %s is %s', (failure, transient) => {
    expect(isTransient(new ConnectionError({ message: 'no', failure }))).toBe(transient)
  })

  it('is true of a lost answer', () => {
    expect(isTransient(new TransportError({ message: 'lost', mayHaveApplied: false }))).toBe(true)
  })
})
