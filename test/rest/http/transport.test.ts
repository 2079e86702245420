import { describe, expect, it } from 'vitest'
import { isRead } from '../../../packages/rest/src/http/transport.ts'
import { read } from '../people.ts'

describe('isRead', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'] as const)('is true of %s', (method) => {
    expect(isRead({ ...read, method })).toBe(true)
  })

  it('is true of a POST that carries a read', () => {
    expect(isRead({ ...read, method: 'POST', readsOnly: true })).toBe(true)
  })

  it.each(['DELETE', 'MERGE', 'PATCH', 'POST', 'PUT'] as const)('is false of %s', (method) => {
    expect(isRead({ ...read, method })).toBe(false)
  })
})
