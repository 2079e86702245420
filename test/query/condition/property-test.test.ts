import { anyOf, between, eq, ge, gt, le, lt, ne, PropertyTest, startsWith } from '@rowkey/query'
import { expect, it } from 'vitest'
import { invalidQuery } from '../../support/rejections.ts'

it.each([
  [eq(1), 'eq', [1]],
  [ne('a'), 'ne', ['a']],
  [gt(1n), 'gt', [1n]],
  [ge(1), 'ge', [1]],
  [lt(1), 'lt', [1]],
  [le(1), 'le', [1]],
  [between(1, 2), 'between', [1, 2]],
  [startsWith('a'), 'startsWith', ['a']],
])('records a test: %o', (test, operator, operands) => {
  expect(test).toBeInstanceOf(PropertyTest)
  expect(test).toEqual({ operator, operands })
})

it('rejects a list that no filter can hold, and says what to do', () => {
  expect(anyOf(Array.from({ length: 10_000 }, String)).operands).toHaveLength(10_000)
  for (const length of [10_001, 1_000_000]) {
    const many = Array.from({ length }, String)
    expect(() => anyOf(many)).toThrow(invalidQuery)
    expect(() => anyOf(many)).toThrow(/takes at most 10000.*getMany/)
  }
})
