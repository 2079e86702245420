import { describe, expect, it } from 'vitest'
import { isInSasKeyRange } from '../../../packages/rest/src/sas/sas-key-range.ts'
import { checkSasKeyRange } from '../../../packages/rest/src/sas/table-sas.ts'

describe('isInSasKeyRange', () => {
  const range = {
    from: { partitionKey: 'PK001', rowKey: 'RK002' },
    to: { partitionKey: 'PK003', rowKey: 'RK003' },
  }

  it.each([
    ['PK001', 'RK001', false],
    ['PK001', 'RK002', true],
    ['PK002', 'RK999', true],
    ['PK002', '', true],
    ['PK003', 'RK003', true],
    ['PK003', 'RK004', false],
    ['PK000', 'RK002', false],
    ['PK004', '', false],
  ])('R-69: tells whether (%s, %s) is in a range of pairs: %s', (partitionKey, rowKey, isIn) => {
    expect(isInSasKeyRange(range, { partitionKey, rowKey })).toBe(isIn)
  })

  it('R-69: contains whole partitions without a RowKey', () => {
    const whole = { from: { partitionKey: 'b' }, to: { partitionKey: 'c' } }
    const isIn = (partitionKey: string, rowKey: string) =>
      isInSasKeyRange(whole, { partitionKey, rowKey })
    expect([isIn('b', ''), isIn('c', '\uffff')]).toEqual([true, true])
    expect([isIn('a', 'z'), isIn('c0', '')]).toEqual([false, false])
  })

  it('contains every key without bounds', () => {
    expect(isInSasKeyRange({}, { partitionKey: '', rowKey: '' })).toBe(true)
  })

  it('accepts the empty key as a bound', () => {
    const first = { to: { partitionKey: '', rowKey: '' } }
    expect(isInSasKeyRange(first, { partitionKey: '', rowKey: '' })).toBe(true)
    expect(isInSasKeyRange(first, { partitionKey: '', rowKey: '1' })).toBe(false)
  })
})

describe('checkSasKeyRange', () => {
  it.each([
    {},
    { from: { partitionKey: '' } },
    { from: { partitionKey: 'a' }, to: { partitionKey: 'a' } },
    { from: { partitionKey: 'a', rowKey: '1' }, to: { partitionKey: 'a', rowKey: '1' } },
    { from: { partitionKey: 'a', rowKey: '2' }, to: { partitionKey: 'b', rowKey: '1' } },
  ])('accepts %j', (range) => {
    expect(() => checkSasKeyRange(range)).not.toThrow()
  })

  it.each([
    { from: { partitionKey: 'b' }, to: { partitionKey: 'a' } },
    { from: { partitionKey: 'a', rowKey: '2' }, to: { partitionKey: 'a', rowKey: '1' } },
  ])('rejects the empty range %j', (range) => {
    expect(() => checkSasKeyRange(range)).toThrow(expect.objectContaining({ code: 'InvalidSas' }))
  })

  it.each([null, 7, {}, { partitionKey: 'a\n' }])('rejects the bound %j', (from) => {
    expect(() => checkSasKeyRange({ from: from as never })).toThrow(
      expect.objectContaining({ code: 'InvalidEntityKey' }),
    )
  })
})
