import { SchemaError, VersionError } from '@rowkey/mapper'
import { DecodeError, InputError, PropertyValueError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { namingEntity, namingRow } from '../../../../packages/mapper/src/table/read/error-place.ts'

const key = { partitionKey: 'a', rowKey: 'b' }
const place = { table: 'people', key }
const row = { PartitionKey: 'a', RowKey: 'b' }

/** What a call throws. */
function thrownBy(call: () => unknown): unknown {
  try {
    return call()
  } catch (error) {
    return error
  }
}

const throwing = (error: unknown) => () => {
  throw error
}

describe('namingEntity', () => {
  const named = (error: unknown, at: Parameters<typeof namingEntity>[0] = () => place) =>
    thrownBy(() => namingEntity(at, throwing(error)))

  it('returns what was written, and does not ask for the place', () => {
    expect(namingEntity(throwing(new Error('asked')), () => '{}')).toBe('{}')
  })

  it('names entity and table at the end of the error', () => {
    const given = new PropertyValueError({ message: 'wrong', property: 'n', type: 'Int32' })
    const error = named(given)
    expect(error).toBe(given)
    expect(given.message).toBe('wrong (entity ["a","b"] of table people)')
    expect(given.stack).toContain('wrong (entity ["a","b"] of table people)')
    expect(given.details).toMatchObject({ table: 'people', ...key })
  })

  it('names only the table when the error names the entity itself', () => {
    const issues = [{ path: 'n', message: 'wrong' }]
    const error = new SchemaError({ model: 'people', action: 'written', issues, key })
    const { message } = error
    named(error)
    expect(error.message).toBe(`${message} (table people)`)
    expect(error.details).toEqual({ table: 'people', ...key })
  })

  it('names an error once', () => {
    const error = new InputError({ code: 'X', message: 'wrong' })
    named(error)
    named(error, () => ({ table: 'others', key }))
    expect(error.message).toBe('wrong (entity ["a","b"] of table people)')
  })

  it('leaves an error as it is while the key is unknown, and errors that are not about input', () => {
    const error = new InputError({ code: 'X', message: 'wrong' })
    named(error, () => ({ table: 'people', key: undefined }))
    expect(error.message).toBe('wrong')
    const other = new TypeError('wrong')
    expect(named(other)).toBe(other)
    expect(other.message).toBe('wrong')
  })
})

describe('namingRow', () => {
  const named = (error: unknown, raw: Record<string, unknown> = row) =>
    thrownBy(() => namingRow('people', raw, throwing(error)))

  it('returns what was read', () => {
    expect(namingRow('people', row, () => 5)).toBe(5)
  })

  it('throws a DecodeError for an error about input, with its code and as its cause', () => {
    const cause = new PropertyValueError({ message: 'wrong', property: 'n', type: 'Int32' })
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

  it('adds the place to a DecodeError', () => {
    const error = new DecodeError({ code: 'X', message: 'wrong' })
    expect(named(error)).toBe(error)
    expect(error.message).toBe('wrong (entity ["a","b"] of table people)')
    expect(error.details).toEqual({ table: 'people', ...key })
    const problem = 'is of version 3'
    const version = new VersionError({ className: 'Order', key, stored: 3, problem })
    named(version)
    expect(version.message).toBe('Order: the row ["a","b"] is of version 3 (table people)')
    expect(version.details).toEqual({ table: 'people', ...key })
  })

  it('names a row without its key, as a projection may be', () => {
    const error = new DecodeError({ code: 'X', message: 'wrong' })
    named(error, {})
    expect(error.details).toEqual({ table: 'people', partitionKey: '', rowKey: '' })
  })

  it('leaves other errors as they are', () => {
    const error = new TypeError('wrong')
    expect(named(error)).toBe(error)
  })
})
