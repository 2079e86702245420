import { describe, expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

describe('a result', () => {
  it('a write returns its ETag and the ids of its request', async () => {
    const { people } = await openPeople()
    expect(await people.createEntity({ ...row, n: 1 })).toEqual({
      etag: expect.stringContaining('W/"datetime'),
      requestId: expect.any(String),
      clientRequestId: expect.any(String),
      date: expect.any(Date),
      version: expect.any(String),
      preferenceApplied: 'return-no-content',
    })
  })
})
