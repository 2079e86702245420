import { describe, expect, it } from 'vitest'
import { isRead } from '../../../packages/rest/src/http/transport.ts'
import { read } from '../people.ts'

describe('isRead', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'] as const)('is true for %s', (method) => {
    expect(isRead({ ...read, method })).toBe(true)
  })

  it('is true for a POST that contains a read', () => {
    expect(isRead({ ...read, method: 'POST', readsOnly: true })).toBe(true)
  })

  it.each(['DELETE', 'MERGE', 'PATCH', 'POST', 'PUT'] as const)('is false for %s', (method) => {
    expect(isRead({ ...read, method })).toBe(false)
  })
})
