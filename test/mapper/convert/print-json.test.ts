import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printJson } from '../../../packages/mapper/src/convert/update-json.ts'

describe('printJson', () => {
  it('writes every value that JSON can hold so that it reads back, -0 included', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(printJson(value))).toEqual(value)
      }),
    )
    expect(printJson({ zero: -0, gone: undefined, none: null })).toBe('{"zero":-0,"none":null}')
    expect(printJson(Object.assign(Object.create(null), { a: 1 }))).toBe('{"a":1}')
    expect(printJson(JSON.parse('{"__proto__":{"a":1}}'))).toBe('{"__proto__":{"a":1}}')
  })

  it.each([
    [5n, ''],
    [Number.NaN, ''],
    [{ a: [1, Number.POSITIVE_INFINITY] }, 'a.1'],
    [{ a: new Date(0) }, 'a'],
    [new Map(), ''],
    [[undefined], '0'],
    [new Array(1), '0'],
    [{ a: () => 1 }, 'a'],
    [Symbol('x'), ''],
    [undefined, ''],
    [new (class Point {})(), ''],
  ])('rejects %o, which JSON would change silently', (value, path) => {
    try {
      printJson(value)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ name: 'InputError', code: 'InvalidJsonValue' })
      expect(error).toMatchObject({ code: 'InvalidJsonValue', details: { path } })
    }
  })

  it('rejects a ring', () => {
    const ring: Record<string, unknown> = {}
    ring.ring = ring
    expect(() => printJson(ring)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidJsonValue' }),
    )
  })

  it('says how a bigint can be stored', () => {
    expect(() => printJson({ points: 5n })).toThrow(
      'points of the value is a value of type bigint, which JSON cannot hold. JSON has only numbers, which readers hold exactly up to 2^53. Store it as text.',
    )
  })
})
