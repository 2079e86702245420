import { describe, expect, it } from 'vitest'
import { Conversation, codeOf } from '../../support/local-conversation.ts'

describe('requestedTable', () => {
  it('R-01: finds the table in any case', async () => {
    const service = await Conversation.withTable('People')
    const body = { PartitionKey: 'p', RowKey: 'r' }
    expect((await service.send('POST', '/pEOPLE', { body })).status).toBe(201)
    expect((await service.send('GET', '/PEOPLE()')).status).toBe(200)
    expect(codeOf(await service.send('POST', '/persons', { body }))).toEqual([404, 'TableNotFound'])
  })
})
