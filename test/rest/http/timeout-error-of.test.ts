import { expect, it } from 'vitest'
import { timeoutErrorOf } from '../../../packages/rest/src/http/timeout-error-of.ts'
import { read, write } from '../people.ts'

it.each([
  ['a write that was sent', write, true, true],
  ['a write that waited for a connection', write, false, false],
  ['a read', read, true, false],
])('knows whether %s may have been applied', (_, request, sent, mayHaveApplied) => {
  const error = timeoutErrorOf(request, 30, sent)
  expect(error).toMatchObject({ code: 'AttemptTimeout', mayHaveApplied })
  expect(/outcome is unknown/.test(error.message)).toBe(mayHaveApplied)
})

it('names the request and the time, and shows no query', () => {
  const { message } = timeoutErrorOf({ ...write, query: 'sig=c2VjcmV0' }, 30, true)
  expect(message).toContain('PUT https://contoso.table.core.windows.net/people')
  expect(message).toContain('30 ms')
  expect(message).not.toContain('c2VjcmV0')
})
