import { findEntity, getEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { checkAnswer } from '../../../packages/rest/src/answer/check-answer.ts'
import { contoso, read } from '../people.ts'

const missing = { status: 404, headers: {}, body: '{"odata.error":{"code":"ResourceNotFound"}}' }
const answered = {
  response: missing,
  request: read,
  operation: getEntity,
  endpoint: contoso,
  now: 0,
}

describe('checkAnswer', () => {
  it('finds nothing wrong below 300', async () => {
    const response = { status: 204, headers: {}, body: '' }
    expect(await checkAnswer({ ...answered, response })).toBeUndefined()
  })

  it('finds nothing wrong with a code that the operation expects', async () => {
    expect(await checkAnswer({ ...answered, operation: findEntity })).toBeUndefined()
    expect(await checkAnswer(answered)).toMatchObject({ code: 'ResourceNotFound' })
  })

  it.each([301, 302, 307, 308, 304])('takes %i for no answer, and says why', async (status) => {
    const response = { status, headers: { location: 'https://evil.example/?sig=x' }, body: '' }
    const error = await checkAnswer({ ...answered, response })
    expect(error).toMatchObject({
      code: 'UnexpectedAnswer',
      message: expect.stringMatching(/never followed/),
    })
    expect(error?.message).not.toContain('evil')
  })
})
