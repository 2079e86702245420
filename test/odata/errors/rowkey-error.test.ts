import { isRowkeyError, PropertyNameError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it, vi } from 'vitest'

const given = { message: 'm', property: 'p' }

describe('RowkeyError', () => {
  it('is an Error with a message and a stack', () => {
    const error = new PropertyNameError(given)
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toBeInstanceOf(Error)
    expect(error.message).toBe('m')
    expect(error.stack).toContain('rowkey-error.test.ts')
  })

  it('has a cause when it is given one, and else no such property', () => {
    const cause = new TypeError('below')
    expect(new PropertyNameError({ ...given, cause }).cause).toBe(cause)
    expect(Object.hasOwn(new PropertyNameError(given), 'cause')).toBe(false)
  })
})

describe('isRowkeyError', () => {
  it('knows the errors of this package', () => {
    expect(isRowkeyError(new PropertyNameError(given))).toBe(true)
  })

  it('knows the error of another copy of the package', async () => {
    vi.resetModules()
    const other = await import('../../../packages/odata/src/errors/property-name-error.ts')
    const error = new other.PropertyNameError(given)
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
  ])('does not take %o for one', (value) => {
    expect(isRowkeyError(value)).toBe(false)
  })
})
