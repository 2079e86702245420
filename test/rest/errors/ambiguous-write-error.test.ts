import { inspect } from 'node:util'
import { isRowkeyError } from '@rowkey/odata'
import { AmbiguousWriteError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'

describe('AmbiguousWriteError', () => {
  it('says that the write may have been applied, and resolves it', async () => {
    const cause = new TypeError('lost')
    const outcomes = ['unknown', 'applied'] as const
    let looked = 0
    const error = new AmbiguousWriteError({
      message: 'Who knows.',
      attempts: 3,
      cause,
      resolve: async () => ({ outcome: outcomes[looked++] ?? 'unknown' }),
    })
    expect(error).toMatchObject({
      name: 'AmbiguousWriteError',
      code: 'AmbiguousWrite',
      message: 'Who knows.',
      mayHaveApplied: true,
      attempts: 3,
      cause,
    })
    expect(isRowkeyError(error)).toBe(true)
    expect([await error.resolve(), await error.resolve()]).toEqual(outcomes)
  })

  it('says why the last resolve could not read', async () => {
    const seen = [{ outcome: 'unknown', reason: 'no r' }, { outcome: 'applied' }] as const
    let looked = 0
    const resolve = async () => seen[looked++] ?? seen[0]
    const error = new AmbiguousWriteError({ message: 'x', attempts: 1, cause: undefined, resolve })
    expect(error.unseenBecause).toBeUndefined()
    expect([await error.resolve(), error.unseenBecause]).toEqual(['unknown', 'no r'])
    expect([await error.resolve(), error.unseenBecause]).toEqual(['applied', undefined])
  })

  it('does not show what resolve would use', () => {
    const secret = 'c2VjcmV0'
    const resolve = Object.assign(async () => ({ outcome: 'unknown' }) as const, { secret })
    const error = new AmbiguousWriteError({ message: 'x', attempts: 1, cause: undefined, resolve })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret)
    expect(JSON.stringify(error)).not.toContain(secret)
  })
})
