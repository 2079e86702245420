import { SchemaError } from '@rowkey/mapper'
import { DecodeError, InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { entityError, rowError } from '../../../packages/mapper/src/rows/error-place.ts'

const key = { partitionKey: 'a', rowKey: 'b' }
const place = { table: 'people', key }
const row = { PartitionKey: 'a', RowKey: 'b' }

/** Makes an error about the caller's value of the property `n`. */
const invalidValue = () =>
  new InputError({ code: 'InvalidPropertyValue', message: 'wrong', details: { property: 'n' } })

describe('entityError', () => {
  const named = (error: unknown, at: Parameters<typeof entityError>[1] = place) =>
    entityError(error, at)

  it('makes an InputError that names entity and table at the end', () => {
    const original = invalidValue()
    const error = named(original)
    expect(error).not.toBe(original)
    expect(error).toMatchObject({
      name: 'InputError',
      code: 'InvalidPropertyValue',
      message: 'wrong (entity ["a","b"] of table people)',
      details: { table: 'people', ...key, property: 'n' },
      cause: original,
    })
    expect(original.message).toBe('wrong')
  })

  it('keeps the cause of the error', () => {
    const cause = new TypeError('boom')
    expect(named(new InputError({ code: 'X', message: 'wrong', cause }))).toMatchObject({ cause })
  })

  it('names only the table when the error names the entity itself', () => {
    const issues = [{ path: 'n', message: 'wrong' }]
    const original = new SchemaError({ model: 'people', action: 'written', issues, key })
    const error = named(original)
    expect(error).toBeInstanceOf(SchemaError)
    expect(error).toMatchObject({
      message: `${original.message} (table people)`,
      model: 'people',
      issues,
    })
    expect((error as SchemaError).details).toEqual({ table: 'people', ...key })
  })

  it('names an error once', () => {
    const first = named(new InputError({ code: 'X', message: 'wrong' }))
    expect(first).toMatchObject({ message: 'wrong (entity ["a","b"] of table people)' })
    expect(named(first, { table: 'others', key })).toBe(first)
  })

  it('returns an error unchanged while the key is unknown, and errors that are not about input', () => {
    const error = new InputError({ code: 'X', message: 'wrong' })
    expect(named(error, { table: 'people', key: undefined })).toBe(error)
    const other = new TypeError('wrong')
    expect(named(other)).toBe(other)
    expect(other.message).toBe('wrong')
  })
})

describe('rowError', () => {
  const named = (error: unknown, raw: Record<string, unknown> = row) =>
    rowError(error, 'people', raw)

  it('makes a DecodeError for an error about input, with its code and as its cause', () => {
    const cause = invalidValue()
    const error = named(cause)
    expect(error).toBeInstanceOf(DecodeError)
    expect(error).not.toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      code: cause.code,
      message: 'wrong (entity ["a","b"] of table people)',
      details: { table: 'people', ...key, property: 'n' },
      cause,
    })
  })

  it('makes a DecodeError with the place for one without it', () => {
    const cause = new TypeError('boom')
    const original = new DecodeError({ code: 'X', message: 'wrong', mayHaveApplied: true, cause })
    expect(named(original)).toMatchObject({
      code: 'X',
      message: 'wrong (entity ["a","b"] of table people)',
      details: { table: 'people', ...key },
      mayHaveApplied: true,
      cause,
    })
    expect(original.message).toBe('wrong')
  })

  it('keeps the details, and names only the table when the error names the row itself', () => {
    const details = { ...key, storedVersion: 3 }
    const original = new DecodeError({ code: 'X', message: 'The row is of version 3', details })
    expect(named(original)).toMatchObject({
      message: 'The row is of version 3 (table people)',
      details: { table: 'people', ...details },
      cause: original,
    })
  })

  it('names an error once', () => {
    const first = named(new DecodeError({ code: 'X', message: 'wrong' }))
    expect(named(first)).toBe(first)
  })

  it('names a row without its key, as a projection may be', () => {
    const error = named(new DecodeError({ code: 'X', message: 'wrong' }), {})
    expect((error as DecodeError).details).toEqual({
      table: 'people',
      partitionKey: '',
      rowKey: '',
    })
  })

  it('leaves other errors as they are', () => {
    const error = new TypeError('wrong')
    expect(named(error)).toBe(error)
  })
})
