import { describe, expect, it } from 'vitest'
import { sasKeyRange } from '../../../packages/local/src/access/verify-sas.ts'
import { holdsKey } from '../../../packages/local/src/keys/key-range.ts'

const rangeOf = (token: Record<string, string>) => sasKeyRange(new Map(Object.entries(token)))
const holds = (token: Record<string, string>, partitionKey: string, rowKey: string) =>
  holdsKey(rangeOf(token), { partitionKey, rowKey })

describe('sasKeyRange', () => {
  it('R-68: is the whole table for a token without keys', () => {
    expect(rangeOf({})).toEqual({ low: '' })
  })

  it('R-69: is hierarchical: inner partitions belong to it completely', () => {
    const token = { spk: 'PK001', srk: 'RK002', epk: 'PK003', erk: 'RK003' }
    expect(holds(token, 'PK001', 'RK001')).toBe(false)
    expect(holds(token, 'PK001', 'RK002')).toBe(true)
    expect(holds(token, 'PK002', 'RK999')).toBe(true)
    expect(holds(token, 'PK002', '')).toBe(true)
    expect(holds(token, 'PK003', 'RK003')).toBe(true)
    expect(holds(token, 'PK003', 'RK004')).toBe(false)
  })

  it('R-68: includes the partitions at both ends', () => {
    const token = { spk: 'b', epk: 'c' }
    expect(holds(token, 'a', '\uffff')).toBe(false)
    expect(holds(token, 'b', '')).toBe(true)
    expect(holds(token, 'c', '\uffff')).toBe(true)
    expect(holds(token, 'c ', '')).toBe(false)
  })

  it('R-68: is one partition, or one row, when both ends are the same', () => {
    expect(holds({ spk: 'b', epk: 'b' }, 'b', 'x')).toBe(true)
    const row = { spk: 'b', srk: 'x', epk: 'b', erk: 'x' }
    expect([holds(row, 'b', 'x'), holds(row, 'b', 'x ')]).toEqual([true, false])
  })

  it('accepts an empty key', () => {
    const token = { epk: '' }
    expect([holds(token, '', 'x'), holds(token, 'a', '')]).toEqual([true, false])
    const row = { epk: '', erk: '' }
    expect([holds(row, '', ''), holds(row, '', 'x')]).toEqual([true, false])
  })

  it('is empty when it ends before it begins', () => {
    expect(holds({ spk: 'c', epk: 'a' }, 'b', '')).toBe(false)
  })

  it.each([{ srk: 'a' }, { erk: 'a' }, { spk: 'a', erk: 'b' }])('rejects %o', (token) => {
    expect(() => rangeOf(token)).toThrow(expect.objectContaining({ code: 'AuthenticationFailed' }))
  })
})
