import { describe, expect, it } from 'vitest'
import { REJECTION_TEXTS, Rejection } from '../../../packages/local/src/rejection/rejection.ts'

describe('Rejection', () => {
  it('has the status and the text of its code', () => {
    expect(new Rejection('EntityAlreadyExists')).toMatchObject({
      status: 409,
      code: 'EntityAlreadyExists',
      message: 'The specified entity already exists.',
    })
  })

  it('R-56: puts the index of an operation before its text', () => {
    expect(new Rejection('EntityAlreadyExists').prefixed(3).message).toBe(
      '3:The specified entity already exists.',
    )
  })

  it('can be copied with another detail', () => {
    const fault = new Rejection('InvalidAuthenticationInfo', { status: 401, text: 'Sign in.' })
    expect(fault.but({ headers: { a: 'b' } })).toMatchObject({
      status: 401,
      message: 'Sign in.',
      headers: { a: 'b' },
    })
  })
})

describe('REJECTION_TEXTS', () => {
  it.each(Object.entries(REJECTION_TEXTS))('has a status and a sentence for %s', (_, entry) => {
    const [status, text] = entry
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(text).toMatch(/^[A-Z][ -~]+$/)
  })
})
