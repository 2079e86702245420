import { describe, expect, it } from 'vitest'
import { Conversation } from '../../support/local-conversation.ts'

describe('changeEntity', () => {
  it('R-12: lets one of many concurrent writers succeed, and rejects the others', async () => {
    const service = await Conversation.withTable('people')
    const body = { PartitionKey: 'p', RowKey: 'r', count: 0 }
    const { headers } = await service.send('POST', '/people', { body })
    const writes = Array.from({ length: 20 }, (_, count) =>
      service.send('MERGE', "/people(PartitionKey='p',RowKey='r')", {
        headers: { 'if-match': headers.etag },
        body: { count },
      }),
    )
    const statuses = (await Promise.all(writes)).map((response) => response.status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(19)
  })

  it('R-43: lets one of many concurrent inserts succeed', async () => {
    const service = await Conversation.withTable('people')
    const body = { PartitionKey: 'p', RowKey: 'r' }
    const inserts = Array.from({ length: 20 }, () => service.send('POST', '/people', { body }))
    const statuses = (await Promise.all(inserts)).map((response) => response.status)
    expect(statuses.toSorted()).toEqual([201, ...Array(19).fill(409)])
  })
})
