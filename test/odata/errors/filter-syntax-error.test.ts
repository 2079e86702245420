import { FilterSyntaxError, InputError, RowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('FilterSyntaxError', () => {
  it('says in its name, code and fields what was refused', () => {
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
  it('says for programs which types do not fit, and which function is called', () => {
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
