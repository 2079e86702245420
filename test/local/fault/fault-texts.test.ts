import { describe, expect, it } from 'vitest'
import { FAULT_TEXTS } from '../../../packages/local/src/fault/fault-texts.ts'

describe('FAULT_TEXTS', () => {
  it.each(Object.entries(FAULT_TEXTS))('%s is a refusal of one sentence or more', (_, entry) => {
    const [status, text] = entry
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(text).toMatch(/^[A-Z][ -~]+$/)
  })
})
