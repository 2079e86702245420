import { describe, expect, it } from 'vitest'
import { REJECTION_TEXTS } from '../../../packages/local/src/rejection/rejection.ts'

describe('REJECTION_TEXTS', () => {
  it.each(Object.entries(REJECTION_TEXTS))('has a status and a sentence for %s', (_, entry) => {
    const [status, text] = entry
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(text).toMatch(/^[A-Z][ -~]+$/)
  })
})
