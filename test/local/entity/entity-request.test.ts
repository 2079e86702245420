import { describe, expect, it } from 'vitest'
import {
  conditionOf,
  keyOf,
  propertiesOf,
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
