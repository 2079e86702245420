import { describe, expect, it } from 'vitest'
import { effectiveMethod } from '../../../packages/local/src/request/read-request.ts'

const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

describe('effectiveMethod', () => {
  it('returns the verb of a request that is not tunnelled', () => {
    expect(effectiveMethod('MERGE', {})).toBe('MERGE')
  })

  it.each(['MERGE', 'PUT', 'DELETE', 'PATCH', 'merge '])(
    'returns %s when a POST tunnels it',
    (verb) => {
      expect(effectiveMethod('POST', { 'x-http-method': verb })).toBe(verb.trim().toUpperCase())
    },
  )

  it('rejects tunnelling through anything but POST, and an invalid or second verb', () => {
    expect(() => effectiveMethod('PUT', { 'x-http-method': 'MERGE' })).toThrow(
      code('XMethodNotUsingPost'),
    )
    expect(() => effectiveMethod('POST', { 'x-http-method': 'GET' })).toThrow(
      code('XMethodIncorrectValue'),
    )
    expect(() => effectiveMethod('POST', { 'x-http-method': '' })).toThrow(
      code('XMethodIncorrectValue'),
    )
    expect(() => effectiveMethod('POST', { 'x-http-method': 'MERGE, PUT' })).toThrow(
      code('XMethodIncorrectCount'),
    )
  })
})
