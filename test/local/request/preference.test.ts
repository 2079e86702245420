import { describe, expect, it } from 'vitest'
import { preferenceOf } from '../../../packages/local/src/request/content-negotiation.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { place } from '../../support/local-place.ts'

const callOf = (method: string, resourcePath: string, prefer: string) =>
  readRequest(place, { method, resourcePath, query: '', headers: { prefer }, body: '' })

describe('preferenceOf', () => {
  it('reads the preference of an insert and of a create-table', () => {
    expect(preferenceOf(callOf('POST', '/people', 'return-content'))).toBe('return-content')
    expect(preferenceOf(callOf('POST', '/Tables', ' Return-No-Content'))).toBe('return-no-content')
  })

  it('returns no preference for other operations', () => {
    expect(preferenceOf(callOf('POST', '/people', 'respond-async'))).toBeUndefined()
    expect(preferenceOf(callOf('GET', '/people', 'return-content'))).toBeUndefined()
    expect(
      preferenceOf(callOf('PUT', "/people(PartitionKey='',RowKey='')", 'return-content')),
    ).toBeUndefined()
  })
})
