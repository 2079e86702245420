import { describe, expect, it } from 'vitest'
import {
  checkSameKey,
  conditionOf,
  keyOf,
  propertiesOf,
  readGivenKey,
  requireKey,
  sortedByName,
} from '../../../packages/local/src/entity/entity-request.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { place } from '../../support/local-place.ts'
import { decodedProperties, printedProperties } from '../../support/stored-row.ts'

const callOf = (headers: Record<string, string>, body = '{}', resourcePath?: string) =>
  readRequest(place, {
    method: 'PUT',
    resourcePath: resourcePath ?? "/people(PartitionKey='p',RowKey='r')",
    query: '',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })

describe('keyOf', () => {
  it('returns the key of the URL', () => {
    expect(keyOf(callOf({}))).toEqual({ partitionKey: 'p', rowKey: 'r' })
    expect(() => keyOf(callOf({}, '', '/people'))).toThrow(
      expect.objectContaining({ code: 'InvalidUri' }),
    )
  })
})

describe('conditionOf', () => {
  it('returns the If-Match if there is one', () => {
    expect(conditionOf(callOf({}))).toBeUndefined()
    expect(conditionOf(callOf({ 'if-match': '*' }))).toBe('*')
  })

  it.each([
    { 'if-none-match': '*' },
    { 'if-match': '*', 'if-none-match': '"a"' },
    { 'if-match': 'nonsense' },
  ])('rejects %j', (headers) => {
    expect(() => conditionOf(callOf(headers as unknown as Record<string, string>))).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidInput' }),
    )
  })
})

describe('propertiesOf', () => {
  it('returns the properties of a body, which may repeat the key', () => {
    const call = callOf({}, '{"PartitionKey":"p","RowKey":"r","a":1}')
    expect([...decodedProperties(propertiesOf(call))]).toEqual([['a', { type: 'Int32', value: 1 }]])
  })

  it('rejects a key that differs from the URL', () => {
    expect(() => propertiesOf(callOf({}, '{"RowKey":"x"}'))).toThrow(
      expect.objectContaining({ code: 'InvalidInput' }),
    )
  })
})

describe('sortedByName', () => {
  it('sorts names in ordinal order', () => {
    const value = { type: 'Int32', value: 1 } as const
    const properties = printedProperties(['b', 'a', 'B', '_'].map((name) => [name, value]))
    expect(sortedByName(properties).map(({ name }) => name)).toEqual(['B', '_', 'a', 'b'])
  })
})

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
