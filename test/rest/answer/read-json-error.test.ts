import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJsonError } from '../../../packages/rest/src/answer/read-json-error.ts'

describe('readJsonError', () => {
  it('finds code and text', () => {
    const body = '{"odata.error":{"code":"a","message":{"lang":"en-US","value":"b"}}}'
    expect(readJsonError(body)).toEqual({ code: 'a', message: 'b' })
  })

  it('finds a text that is not inside an object, and an error without odata', () => {
    expect(readJsonError('{"error":{"code":"a","message":"b"}}')).toEqual({
      code: 'a',
      message: 'b',
    })
  })

  it('finds nothing that only the prototype has', () => {
    expect(readJsonError('{"odata.error":{"__proto__":{"code":"a"}}}')?.code).toBeUndefined()
  })

  it('never throws, whatever the body', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (body) => {
        expect(() => readJsonError(body)).not.toThrow()
      }),
    )
  })
})
