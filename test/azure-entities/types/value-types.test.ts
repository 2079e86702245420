import Entity, { type Row } from '@rowkey/azure-entities'
import { describe, expect, it } from 'vitest'
import { roundTrip, serialized } from './stored-value.ts'

const { types } = Entity

describe('a value type', () => {
  it('cuts the digits of a stored date below a millisecond', () => {
    const date = new types.Date('p').deserialize({ p: '2020-01-01T00:00:00.1234567Z' })
    expect(date.toJSON()).toBe('2020-01-01T00:00:00.123Z')
  })

  it('can be a class of the program', () => {
    class Upper extends types.String {
      override deserialize(row: Row): string {
        return super.deserialize(row).toUpperCase()
      }
    }
    expect(roundTrip(new Upper('p'), 'abc')).toBe('ABC')
  })

  it('R-127: of text holds 32,768 UTF-16 units', () => {
    const type = new types.String('p')
    expect(roundTrip(type, 'x'.repeat(32_768))).toHaveLength(32_768)
    expect(() => serialized(type, 'x'.repeat(32_769))).toThrow(
      expect.objectContaining({ code: 'PropertyTooLarge' }),
    )
  })

  it('copies a Date: a change of the copy of a Date leaves the Date', () => {
    const date = new Date(5)
    new types.Date('p').clone(date).setTime(7)
    expect(date).toEqual(new Date(5))
  })
})
