import { expect, it } from 'vitest'
import { unreadableAnswer } from '../../../packages/rest/src/http/unreadable-answer.ts'
import { read, write } from '../people.ts'

it.each([
  ['too long', write, true],
  ['too long', read, false],
  ['bad UTF-8', write, true],
  ['bad UTF-8', read, false],
  ['redirect', write, false],
] as const)('after %s, knows whether the request may have been applied', (reason, request, may) => {
  const error = unreadableAnswer({ ...request, query: 'sig=c2VjcmV0' }, reason)
  expect(error).toMatchObject({ code: 'UnexpectedAnswer', mayHaveApplied: may })
  expect(error.message).not.toContain('c2VjcmV0')
})
