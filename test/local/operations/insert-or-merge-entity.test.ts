import { describe, expect, it } from 'vitest'
import { Conversation } from '../../support/local-conversation.ts'

const address = "/people(PartitionKey='Smith',RowKey='Jeff')"

describe('insertOrMergeEntity', () => {
  it.each(['MERGE', 'PATCH'])(
    'R-44: inserts a missing entity, and merges into an existing one (%s)',
    async (method) => {
      const service = await Conversation.withTable('people')
      expect((await service.send(method, address, { body: { age: 41 } })).status).toBe(204)
      expect((await service.send(method, address, { body: { email: 'a' } })).status).toBe(204)
      const stored = JSON.parse((await service.send('GET', address)).body)
      expect(stored).toMatchObject({ PartitionKey: 'Smith', RowKey: 'Jeff', age: 41, email: 'a' })
    },
  )
})
