import { describe, expect, it } from 'vitest'
import { invalidValue, unreadableValue } from '../../../packages/odata/src/edm/edm-codec.ts'
import * as rejections from '../../support/rejections.ts'

describe('invalidValue', () => {
  it('states the property, the value, the type and what to use', () => {
    const error = invalidValue('Int32', 'age', -0, 'a whole number')
    expect(error).toEqual(rejections.invalidValue)
    expect(error.message).toBe(
      'Property "age": the number -0 is not a valid Int32. Use a whole number.',
    )
    expect(error.details).toEqual({ property: 'age', type: 'Int32' })
  })

  it('begins with the value when the property has no name', () => {
    expect(invalidValue('Int32', '', 1.5, 'x').message).toBe(
      'The number 1.5 is not a valid Int32. Use x.',
    )
  })

  it('states that no type holds the value', () => {
    const error = invalidValue(undefined, 'home', {}, 'text')
    expect(error.message).toBe('Property "home": an object cannot be stored. Use text.')
    expect(error.details).toEqual({ property: 'home' })
  })

  it.each([
    [new Date(0), 'the Date 1970-01-01T00:00:00.000Z'],
    [new Date(Number.NaN), 'an invalid Date'],
    [new ArrayBuffer(3), 'a value of 3 bytes'],
    [[1, 2], 'an array of 2'],
    [Object.create(null), 'an object'],
    [Symbol('x'), 'a symbol'],
    [() => 1, 'a function'],
    [5n, 'the bigint 5'],
    [10n ** 50n, 'a bigint of 51 digits'],
    ['secret', 'a string of 6 UTF-16 units'],
    [true, 'the boolean true'],
    [null, 'null'],
    [undefined, 'undefined'],
  ])('describes %o', (given, description) => {
    const { message } = invalidValue('Int32', 'age', given, 'x')
    expect(message).toBe(`Property "age": ${description} is not a valid Int32. Use x.`)
  })
})

describe('unreadableValue', () => {
  it('states the property, the JSON, the type and what it must be', () => {
    const error = unreadableValue('Guid', 'id', 'secret', 'a Guid')
    expect(error).toEqual(rejections.unreadable)
    expect(error.message).toBe(
      'The stored property "id" is a string of 6 UTF-16 units, which is not a valid Guid. It must be a Guid.',
    )
    expect(error.details).toEqual({ property: 'id' })
  })

  it('does without the name of the property', () => {
    expect(unreadableValue('Guid', '', 5, 'x').message).toBe(
      'A stored value is the number 5, which is not a valid Guid. It must be x.',
    )
  })
})
