import { describe, expect, it } from 'vitest'
import {
  readErrorBody,
  readPartErrorBody,
} from '../../../packages/rest/src/answer/read-error-body.ts'
import { errorAnswers } from '../../vectors/error-answers.ts'

describe('readErrorBody', () => {
  it.each(errorAnswers)('reads $title', async ({ response, code, message }) => {
    expect(await readErrorBody(response)).toEqual({ code, message })
  })
})

describe('readPartErrorBody', () => {
  it('reads JSON, and takes XML for nothing', () => {
    const body = '{"odata.error":{"code":"a","message":{"value":"b"}}}'
    expect(readPartErrorBody({ status: 400, headers: {}, body })).toEqual({
      code: 'a',
      message: 'b',
    })
    expect(readPartErrorBody({ status: 400, headers: {}, body: '<Error/>' }).code).toBe('Http400')
  })
})
