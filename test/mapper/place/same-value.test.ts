import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSameJson } from '../../../packages/mapper/src/place/same-value.ts'

describe('isSameJson', () => {
  it('compares values by their JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(isSameJson(one, structuredClone(one))).toBe(true)
        expect(isSameJson(one, other)).toBe(JSON.stringify(one) === JSON.stringify(other))
      }),
    )
  })

  it.each([
    [{ a: 1, b: undefined }, { a: 1 }],
    [Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    [[Number.POSITIVE_INFINITY], JSON.parse('[1e999]')],
  ])('treats %o and %o as the same', (one, other) => {
    expect(isSameJson(one, other)).toBe(true)
  })

  it.each<[unknown, unknown]>([
    [0, -0],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    [[1], { 0: 1 }],
    [[], {}],
    [new Date(0), {}],
    [new Map(), {}],
    [[1], [1, 2]],
    [null, {}],
    [[undefined], [null]],
  ])('tells %o from %o', (one, other) => {
    expect(isSameJson(one, other)).toBe(false)
    expect(isSameJson(other, one)).toBe(false)
  })

  it('distinguishes a circular value from a finite one', () => {
    const ring: Record<string, unknown> = {}
    ring.a = ring
    expect(isSameJson(ring, { a: { a: {} } })).toBe(false)
  })
})
