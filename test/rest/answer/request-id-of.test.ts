import { describe, expect, it } from 'vitest'
import { requestIdOf } from '../../../packages/rest/src/answer/request-id-of.ts'

const idIn = (id: string) => requestIdOf({ headers: { 'x-ms-request-id': id } })

describe('requestIdOf', () => {
  it.each(['7944c5e8-0002-0079-7bcd-59ca30000000', 'request_1'])('reads %s', (id) => {
    expect(idIn(id)).toBe(id)
  })

  it.each(['', 'sig=c2VjcmV0', 'two words', 'a'.repeat(65)])('takes "%s" for no id', (id) => {
    expect(idIn(id)).toBeUndefined()
  })

  it('knows an answer without one', () => {
    expect(requestIdOf({ headers: {} })).toBeUndefined()
  })
})
