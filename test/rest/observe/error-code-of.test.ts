import { ConnectionError } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { errorCodeOf } from '../../../packages/rest/src/observe/error-code-of.ts'

it.each([
  [new ConnectionError({ message: 'x', failure: 'dns' }), 'ConnectionFailed'],
  [new TypeError('x'), 'TypeError'],
  ['x', 'unknown'],
  [undefined, 'unknown'],
])('names %s by %s', (error, code) => {
  expect(errorCodeOf(error)).toBe(code)
})
