import { expect, it } from 'vitest'
import {
  timeoutErrorOf,
  unreadableResponse,
} from '../../../packages/rest/src/http/transport-errors.ts'
import { read, write } from '../people.ts'

it.each([
  ['a write that was sent', write, true, true],
  ['a write that waited for a connection', write, false, false],
  ['a read', read, true, false],
])('tells whether %s may have been applied', (_, request, sent, mayHaveApplied) => {
  const error = timeoutErrorOf(request, 30, sent)
  expect(error).toMatchObject({ code: 'AttemptTimeout', mayHaveApplied })
  expect(/outcome is unknown/.test(error.message)).toBe(mayHaveApplied)
})

it('names the request and the time, without the query', () => {
  const { message } = timeoutErrorOf({ ...write, query: 'sig=c2VjcmV0' }, 30, true)
  expect(message).toContain('PUT https://contoso.table.core.windows.net/people')
  expect(message).toContain('30 ms')
  expect(message).not.toContain('c2VjcmV0')
})

it.each([
  ['too long', write, true],
  ['too long', read, false],
  ['bad UTF-8', write, true],
  ['bad UTF-8', read, false],
  ['redirect', write, false],
] as const)('tells whether the request may have been applied after %s', (reason, request, may) => {
  const error = unreadableResponse({ ...request, query: 'sig=c2VjcmV0' }, reason)
  expect(error).toMatchObject({ code: 'UnexpectedResponse', mayHaveApplied: may })
  expect(error.message).not.toContain('c2VjcmV0')
})
