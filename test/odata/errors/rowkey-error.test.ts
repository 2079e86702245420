import { DecodeError, InputError, isRowkeyError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it, vi } from 'vitest'

describe('RowkeyError', () => {
  it('is an Error with a message and a stack', () => {
    const error = new InputError({ message: 'm' })
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toBeInstanceOf(Error)
    expect(error.message).toBe('m')
    expect(error.stack).toContain('rowkey-error.test.ts')
  })

  it('has a cause only when it is given one', () => {
    const cause = new TypeError('below')
    expect(new InputError({ message: 'm', cause }).cause).toBe(cause)
    expect(Object.hasOwn(new InputError({ message: 'm' }), 'cause')).toBe(false)
  })
})

describe('JSON of an error', () => {
  it('has name, code and message first, then the fields of its class', () => {
    const error = new InputError({
      code: 'UnknownOption',
      message: 'm',
      details: { option: 'top' },
    })
    expect(JSON.stringify(error)).toBe(
      '{"name":"InputError","code":"UnknownOption","message":"m","details":{"option":"top"}}',
    )
  })

  it('has a cause of Rowkey in full', () => {
    const cause = new DecodeError({ message: 'below', details: { rowKey: 'r' } })
    expect(jsonOf(new InputError({ message: 'm', cause }))).toEqual({
      name: 'InputError',
      code: 'InvalidInput',
      message: 'm',
      details: {},
      cause: {
        name: 'DecodeError',
        code: 'UnexpectedResponse',
        message: 'below',
        mayHaveApplied: false,
        details: { rowKey: 'r' },
      },
    })
  })

  it('has only name and message of a cause of another program', () => {
    const request = { headers: { authorization: 'SharedKey contoso:c2VjcmV0' } }
    const cause = Object.assign(new TypeError('below'), { request, count: 1n })
    expect(jsonOf(new InputError({ message: 'm', cause })).cause).toEqual({
      name: 'TypeError',
      message: 'below',
    })
  })

  it('has the errors of an AggregateError', () => {
    const cause = new AggregateError(
      [new TypeError('one'), new InputError({ message: 'two' })],
      'all',
    )
    expect(jsonOf(new InputError({ message: 'm', cause })).cause).toEqual({
      name: 'AggregateError',
      message: 'all',
      errors: [
        { name: 'TypeError', message: 'one' },
        { name: 'InputError', code: 'InvalidInput', message: 'two', details: {} },
      ],
    })
  })

  it.each(['reason', 7n, { secret: true }, null])(
    'leaves out %o, a cause that is not an error',
    (cause) => {
      expect(jsonOf(new InputError({ message: 'm', cause }))).not.toHaveProperty('cause')
    },
  )
})

const jsonOf = (error: RowkeyError) => JSON.parse(JSON.stringify(error))

describe('isRowkeyError', () => {
  it('is true for an error of this package', () => {
    expect(isRowkeyError(new InputError({ message: 'm' }))).toBe(true)
  })

  it('is true for an error of another copy of the package', async () => {
    vi.resetModules()
    const other = await import('../../../packages/odata/src/errors/input-error.ts')
    const error = new other.InputError({ message: 'm' })
    expect(error.constructor).not.toBe(InputError)
    expect(error).toBeInstanceOf(InputError)
    expect(isRowkeyError(error)).toBe(true)
  })

  it.each([
    new TypeError('x'),
    { code: 'InvalidFilter' },
    null,
    undefined,
    'RowkeyError',
    Object.create(null),
  ])('is false for %o', (value) => {
    expect(isRowkeyError(value)).toBe(false)
  })
})
