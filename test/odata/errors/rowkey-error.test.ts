import { InputError, isRowkeyError, RowkeyError } from '@rowkey/odata'
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

describe('isRowkeyError', () => {
  it('is true for an error of this package', () => {
    expect(isRowkeyError(new InputError({ message: 'm' }))).toBe(true)
  })

  it('is true for an error of another copy of the package', async () => {
    vi.resetModules()
    const other = await import('../../../packages/odata/src/errors/input-error.ts')
    const error = new other.InputError({ message: 'm' })
    expect(error).not.toBeInstanceOf(RowkeyError)
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
