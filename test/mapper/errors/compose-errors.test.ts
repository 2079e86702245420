import { DecodeError, InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  conversionFailed,
  invalidKeyPart,
  unknownType,
  unreadableVersion,
} from '../../../packages/mapper/src/errors/compose-errors.ts'

const key = { partitionKey: 'c1', rowKey: '7' }

describe('the errors that several files throw', () => {
  it('name the property that cannot be converted, the direction and the problem', () => {
    const cause = new TypeError('boom')
    const error = conversionFailed({
      property: 'Order.total',
      action: 'read',
      problem: 'No.',
      cause,
    })
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      code: 'ConversionFailed',
      message: 'Order.total cannot be read: No.',
      details: { property: 'Order.total' },
      cause,
    })
  })

  it('name the part of a key', () => {
    const error = invalidKeyPart('no', 'No.')
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({
      code: 'InvalidKeyPart',
      message: 'no: No.',
      details: { property: 'no' },
    })
  })

  it('name the row of an unknown type, and the types that are known', () => {
    const error = unknownType(key, ['Customer (RowKey 0001_…)'])
    expect(error).toBeInstanceOf(DecodeError)
    expect(error).toMatchObject({ code: 'UnknownType', details: key })
    expect(error.message).toContain('["c1","7"]')
    expect(error.message).toContain('Customer (RowKey 0001_…)')
  })

  it('name the model, the row and its version', () => {
    const error = unreadableVersion({ className: 'Order', key, stored: 3, problem: 'is later.' })
    expect(error).toBeInstanceOf(DecodeError)
    expect(error).toMatchObject({
      code: 'UnreadableVersion',
      message: 'Order: the row ["c1","7"] is later.',
      details: { ...key, storedVersion: 3 },
    })
  })
})
