import { describe, expect, it } from 'vitest'
import {
  checkSameKey,
  readGivenKey,
  requireKey,
} from '../../../packages/local/src/entity/entity-request.ts'

const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

describe('readGivenKey', () => {
  it('reads the key in the body', () => {
    const given = { partitionKey: 'p', rowKey: 'r' }
    expect(readGivenKey({ a: 1, PartitionKey: 'p', RowKey: 'r' })).toEqual(given)
    expect(readGivenKey({ RowKey: null })).toEqual({ partitionKey: undefined, rowKey: undefined })
  })

  it('R-07: rejects a key that is not a string', () => {
    const refused = code('InvalidInput')
    expect(() => readGivenKey({ PartitionKey: 1 })).toThrow(refused)
    expect(() => readGivenKey({ RowKey: {} })).toThrow(refused)
    const typed = { RowKey: '5', 'RowKey@odata.type': 'Edm.Int64' }
    expect(() => readGivenKey(typed)).toThrow(refused)
    expect(readGivenKey({ ...typed, 'RowKey@odata.type': 'Edm.String' }).rowKey).toBe('5')
  })
})

describe('requireKey', () => {
  it('R-07: rejects a body without both keys', () => {
    const empty = { partitionKey: '', rowKey: '' }
    expect(requireKey(empty)).toEqual(empty)
    expect(() => requireKey({ ...empty, rowKey: undefined })).toThrow(code('PropertiesNeedValue'))
    expect(() => requireKey({ ...empty, partitionKey: undefined })).toThrow(
      code('PropertiesNeedValue'),
    )
  })
})

describe('checkSameKey', () => {
  it('accepts a body that repeats the keys of the URL, or leaves them out', () => {
    const key = { partitionKey: 'p', rowKey: 'r' }
    const none = { partitionKey: undefined, rowKey: undefined }
    expect(() => checkSameKey(none, key)).not.toThrow()
    expect(() => checkSameKey(key, key)).not.toThrow()
    expect(() => checkSameKey({ ...none, rowKey: 'other' }, key)).toThrow(code('InvalidInput'))
  })
})
