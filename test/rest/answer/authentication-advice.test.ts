import { getEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { authenticationAdvice } from '../../../packages/rest/src/answer/authentication-advice.ts'
import { contoso, read } from '../people.ts'

const NOON = Date.UTC(2026, 10, 20, 12)
const adviceAt = (now: number, date?: string) =>
  authenticationAdvice({
    response: { status: 403, headers: date ? { date } : {}, body: '' },
    request: read,
    operation: getEntity,
    endpoint: contoso,
    now,
  })

describe('authenticationAdvice', () => {
  it('names the account, the key and the clock', () => {
    expect(adviceAt(NOON)).toMatch(/'contoso'.*key.*clock/)
  })

  it('R-63: says how far the clock is off, by the date of the answer', () => {
    const date = 'Fri, 20 Nov 2026 12:00:00 GMT'
    expect(adviceAt(NOON - 20 * 60_000, date)).toMatch(/20 minutes behind/)
    expect(adviceAt(NOON + 16 * 60_000, date)).toMatch(/16 minutes ahead of/)
    expect(adviceAt(NOON + 60_000, date)).not.toMatch(/minutes/)
  })

  it.each(['', 'soon'])('makes nothing of the date %j', (date) => {
    expect(adviceAt(NOON, date)).toMatch(/key may be wrong/)
  })
})
