import { EntityProperty, filter, parseFilter } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { isSameTree } from './same-tree.ts'

const text = "a eq 1 and (not (b) or c lt 'x') and true"

describe('isSameTree', () => {
  it('is true for the same text', () => {
    expect(isSameTree(parseFilter(text), parseFilter(text))).toBe(true)
    const nan = filter`a eq ${Number.NaN}`
    expect(isSameTree(nan, filter`a eq ${Number.NaN}`)).toBe(true)
  })

  it.each([
    "a eq 2 and (not (b) or c lt 'x') and true",
    "a ne 1 and (not (b) or c lt 'x') and true",
    "a eq 1L and (not (b) or c lt 'x') and true",
    "a eq 1 and (not (d) or c lt 'x') and true",
    "a eq 1 and (not (b) or c lt 'X') and true",
    "a eq 1 and (not (b) or c lt 'x') and false",
    "a eq 1 and (not (b) or c lt 'x')",
    "(not (b) or c lt 'x') and a eq 1 and true",
    "a eq 1 or (not (b) or c lt 'x') or true",
    '',
  ])('is false for %s', (other) => {
    expect(isSameTree(parseFilter(text), parseFilter(other))).toBe(false)
  })

  it('distinguishes 0 from -0', () => {
    const zero = filter`a eq ${EntityProperty.double(0)}`
    expect(isSameTree(zero, filter`a eq ${EntityProperty.double(-0)}`)).toBe(false)
  })
})
