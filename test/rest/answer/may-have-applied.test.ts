import { describe, expect, it } from 'vitest'
import { mayHaveAppliedAfter } from '../../../packages/rest/src/answer/may-have-applied.ts'

describe('mayHaveAppliedAfter', () => {
  it.each([408, 500, 502, 504])('is true of %i, whatever the code', (status) => {
    expect(mayHaveAppliedAfter(status, 'OperationTimedOut')).toBe(true)
  })

  it.each([400, 403, 404, 409, 412, 413, 429, 501])('is false of %i', (status) => {
    expect(mayHaveAppliedAfter(status, 'InvalidInput')).toBe(false)
  })

  it('is false of a 503 only when the service itself was busy', () => {
    expect(mayHaveAppliedAfter(503, 'ServerBusy')).toBe(false)
    expect(mayHaveAppliedAfter(503, 'Http503')).toBe(true)
  })
})
