import { insertOrMergeEntity, mergeEntity } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, cosmos, jeff } from '../people.ts'

describe('a merge', () => {
  it('R-18: sends PATCH, and a POST with MERGE in a header on Cosmos DB', () => {
    const verbOf = (endpoint: typeof contoso) => {
      const { method, headers } = insertOrMergeEntity.toRequest(jeff, endpoint)
      return [method, headers['x-http-method']]
    }
    expect(verbOf(contoso)).toEqual(['PATCH', undefined])
    expect(verbOf(cosmos)).toEqual(['POST', 'MERGE'])
  })

  it('sends the given condition', () => {
    const write = { ...jeff, etag: '*' }
    expect(mergeEntity.toRequest(write, contoso).headers['if-match']).toBe('*')
    expect(insertOrMergeEntity.toRequest(jeff, contoso).headers).not.toHaveProperty('if-match')
  })
})
