import { describe, expect, it } from 'vitest'
import { mergeRequest } from '../../../packages/rest/src/entity/merge-request.ts'
import { contoso, cosmos, jeff } from '../people.ts'

describe('mergeRequest', () => {
  it('R-18: is a MERGE, and a POST that says MERGE on Cosmos DB', () => {
    const verbOf = (endpoint: typeof contoso) => {
      const { method, headers } = mergeRequest(jeff, endpoint)
      return [method, headers['x-http-method']]
    }
    expect(verbOf(contoso)).toEqual(['PATCH', undefined])
    expect(verbOf(cosmos)).toEqual(['POST', 'MERGE'])
  })

  it('has the condition it is given', () => {
    expect(mergeRequest(jeff, contoso, '*').headers['if-match']).toBe('*')
    expect(mergeRequest(jeff, contoso).headers).not.toHaveProperty('if-match')
  })
})
