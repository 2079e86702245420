import { ModelError } from '@rowkey/mapper'
import { InputError, isRowkeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('ModelError', () => {
  it('names the class and the member before the problem', () => {
    const error = new ModelError({ className: 'Customer', property: 'age', problem: 'No.' })
    expect(error.message).toBe('Customer.age: No.')
    expect(error).toMatchObject({
      name: 'ModelError',
      code: 'InvalidModel',
      className: 'Customer',
      property: 'age',
    })
    expect(isRowkeyError(error)).toBe(true)
    expect(error).not.toBeInstanceOf(InputError)
  })

  it('names the class alone, or nothing, where there is no more to name', () => {
    expect(new ModelError({ className: 'Customer', problem: 'No.' }).message).toBe('Customer: No.')
    expect(new ModelError({ className: '', problem: 'No.' }).message).toBe('No.')
  })

  it('keeps the error below it', () => {
    const cause = new TypeError('boom')
    expect(new ModelError({ className: 'C', problem: 'No.', cause }).cause).toBe(cause)
  })
})
