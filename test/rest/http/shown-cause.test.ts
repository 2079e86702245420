import { describe, expect, it } from 'vitest'
import { shownCause } from '../../../packages/rest/src/http/shown-cause.ts'

describe('shownCause', () => {
  it('keeps what the failure is called, and nothing that hangs on it', () => {
    const cause = Object.assign(new TypeError('socket hang up', { cause: new Error('below') }), {
      code: 'ECONNRESET',
      headers: { authorization: 'SharedKey contoso:c2VjcmV0' },
    })
    const shown = shownCause(cause)
    expect(shown).toMatchObject({
      name: 'TypeError',
      message: 'socket hang up',
      code: 'ECONNRESET',
    })
    expect(Object.keys(shown).sort()).toEqual(['code', 'name'])
    expect(shown).not.toHaveProperty('cause')
  })

  it('takes secrets out of the message', () => {
    expect(shownCause(new Error('GET /people?sig=c2VjcmV0')).message).toBe(
      'GET /people?sig=<redacted>',
    )
  })

  it.each([
    [undefined, ''],
    [null, ''],
    ['boom', 'boom'],
    [7, '7'],
    [{}, ''],
    [Object.create(null), ''],
    [{ message: {} }, ''],
  ])('makes an error of %j, which is none', (thrown, message) => {
    expect(shownCause(thrown)).toMatchObject({ name: 'Error', message })
    expect(shownCause(thrown)).toBeInstanceOf(Error)
  })
})
