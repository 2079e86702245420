import { describe, expect, it } from 'vitest'
import { mergeRequest } from '../../../packages/rest/src/request/merge-request.ts'
import { contoso, cosmos, jeff } from '../people.ts'

describe('mergeRequest', () => {
  it('R-18: sends PATCH, and a POST with MERGE in a header on Cosmos DB', () => {
    const verbOf = (endpoint: typeof contoso) => {
      const { method, headers } = mergeRequest(jeff, endpoint)
      return [method, headers['x-http-method']]
    }
    expect(verbOf(contoso)).toEqual(['PATCH', undefined])
    expect(verbOf(cosmos)).toEqual(['POST', 'MERGE'])
  })

  it('sends the given condition', () => {
    expect(mergeRequest(jeff, contoso, '*').headers['if-match']).toBe('*')
    expect(mergeRequest(jeff, contoso).headers).not.toHaveProperty('if-match')
  })
})
