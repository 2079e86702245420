import { DecodeError, InputError, RowkeyError, unreadableRow } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const row = { table: 'people', partitionKey: 'Smith', rowKey: 'Jeff' }

/** An error of another package, with the property in a field of its own. */
class FieldError extends RowkeyError {
  override readonly code = 'Field'
  readonly property = 'home'
}

describe('DecodeError', () => {
  it('has a code, empty details and an unapplied request by default', () => {
    expect(new DecodeError({ message: 'm' })).toMatchObject({
      name: 'DecodeError',
      code: 'UnexpectedResponse',
      mayHaveApplied: false,
      details: {},
    })
  })
})

describe('unreadableRow', () => {
  it('adds the table and the key to a DecodeError, and keeps code, property and cause', () => {
    const cause = new TypeError('below')
    const details = { property: 'age', reason: 'tampered' } as const
    const thrown = new DecodeError({ code: 'UnreadableProperty', message: 'm.', details, cause })
    const error = unreadableRow(thrown, row)
    expect(error).toMatchObject({
      name: 'DecodeError',
      code: 'UnreadableProperty',
      details: { ...row, property: 'age', reason: 'tampered' },
      cause,
    })
    expect(error.message).toBe('m. (entity ["Smith","Jeff"] of table people)')
  })

  it('returns a DecodeError that names its row as it is', () => {
    const thrown = new DecodeError({ message: 'm', details: { ...row, rowKey: 'Ben' } })
    expect(unreadableRow(thrown, row)).toBe(thrown)
  })

  it('keeps the code and the property of another error of this library', () => {
    const input = new InputError({ code: 'Bad', message: 'm', details: { property: 'age' } })
    for (const [thrown, code, property] of [
      [input, 'Bad', 'age'],
      [new FieldError({ message: 'm' }), 'Field', 'home'],
    ] as const) {
      const error = unreadableRow(thrown, row)
      expect(error).toMatchObject({ code, cause: thrown, details: { ...row, property } })
    }
  })

  it.each([new TypeError('no'), 'no', undefined])('makes a DecodeError of %o', (thrown) => {
    const error = unreadableRow(thrown, { partitionKey: '', rowKey: 'a"b' })
    expect(error.code).toBe('UnreadableRow')
    expect(error.cause).toBe(thrown)
    expect(error.message).toMatch(/^(no|undefined) \(entity \["","a\\"b"\]\)$/)
  })
})
