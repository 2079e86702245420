import { describe, expect, it } from 'vitest'
import { isOverAfter } from '../../../../packages/mapper/src/table/write/is-over-after.ts'
import { freshAccount } from '../../fresh-account.ts'

describe('isOverAfter', () => {
  it('says so when a wait ends at the deadline or later', () => {
    const service = { ...freshAccount().service, now: () => 1_000 }
    const deadline = { endsAt: 1_100 }
    expect(isOverAfter(99, service, { deadline })).toBe(false)
    expect(isOverAfter(100, service, { deadline })).toBe(true)
    expect(isOverAfter(1e9, service, {})).toBe(false)
  })
})
