import { describe, expect, it } from 'vitest'
import { Conversation, codeOf } from '../../support/local-conversation.ts'

describe('getTable', () => {
  it('R-25: finds a table in any case, and returns its name as it was created', async () => {
    const service = await Conversation.withTable('People')
    const response = await service.send('GET', "/Tables('people')")
    expect(response.status).toBe(200)
    expect(JSON.parse(response.body)).toEqual({
      'odata.metadata': 'http://127.0.0.1:10002/contoso/$metadata#Tables/@Element',
      TableName: 'People',
    })
    expect(codeOf(await service.send('GET', "/Tables('other')"))).toEqual([404, 'ResourceNotFound'])
  })
  it('rejects unknown query options', async () => {
    const service = await Conversation.withTable('people')
    const codeFor = async (query: string) =>
      codeOf(await service.send('GET', `/Tables('people')?${query}`))
    expect(await codeFor('$orderby=TableName')).toEqual([501, 'NotImplemented'])
    expect(await codeFor('$Select=TableName')).toEqual([400, 'InvalidInput'])
  })
})
