import { FilterSyntaxError, InputError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('FilterSyntaxError', () => {
  it('has a name, a code and a position', () => {
    const cause = new TypeError('below')
    const error = new FilterSyntaxError({ message: 'why', cause, position: 5 })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toBeInstanceOf(RowkeyError)
    expect(error).toMatchObject({
      name: 'FilterSyntaxError',
      code: 'InvalidFilter',
      cause,
      position: 5,
    })
    expect(error.operands).toBeUndefined()
    expect(error.calledFunction).toBeUndefined()
    expect(String(error)).toBe('FilterSyntaxError: why')
  })

  it('has the types that do not fit, and the function that was called', () => {
    const operands = { operator: 'eq', types: ['String', 'Int32'] } as const
    const error = new FilterSyntaxError({
      message: 'why',
      position: 0,
      operands,
      calledFunction: 'trim',
    })
    expect(error).toMatchObject({ operands, calledFunction: 'trim' })
  })
})
