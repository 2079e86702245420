import { between, eq, ge, gt, le, lt, ne, PropertyTest, startsWith } from '@rowkey/query'
import { expect, it } from 'vitest'

it.each([
  [eq(1), 'eq', [1]],
  [ne('a'), 'ne', ['a']],
  [gt(1n), 'gt', [1n]],
  [ge(1), 'ge', [1]],
  [lt(1), 'lt', [1]],
  [le(1), 'le', [1]],
  [between(1, 2), 'between', [1, 2]],
  [startsWith('a'), 'startsWith', ['a']],
])('the words only record: %o', (test, operator, operands) => {
  expect(test).toBeInstanceOf(PropertyTest)
  expect(test).toEqual({ operator, operands })
})
