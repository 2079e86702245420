import { describe, expect, it } from 'vitest'
import { checkBodySize, MAX_BODY_SIZE } from '../../../packages/local/src/request/read-request.ts'

describe('checkBodySize', () => {
  it('counts bytes, not characters', () => {
    expect(() => checkBodySize('a'.repeat(MAX_BODY_SIZE))).not.toThrow()
    const code = expect.objectContaining({ status: 413, code: 'RequestBodyTooLarge' })
    expect(() => checkBodySize('a'.repeat(MAX_BODY_SIZE + 1))).toThrow(code)
    expect(() => checkBodySize('é'.repeat(MAX_BODY_SIZE / 2 + 1))).toThrow(code)
  })
})
