import { describe, expect, it } from 'vitest'
import { Conversation, refusalOf } from '../../support/local-conversation.ts'

describe('deleteTable', () => {
  it('R-25: deletes a table with its rows, by its name in any case', async () => {
    const service = await Conversation.withTable('people')
    await service.send('POST', '/people', { body: { PartitionKey: 'p', RowKey: 'r' } })
    expect(await service.send('DELETE', "/Tables('PEOPLE')")).toMatchObject({
      status: 204,
      body: '',
    })
    await service.send('POST', '/Tables', { body: { TableName: 'people' } })
    const rows = await service.send('GET', '/people()?$format=application/json;odata=nometadata')
    expect(rows.body).toBe('{"value":[]}')
  })

  it('R-25: says ResourceNotFound of a table that is not there', async () => {
    expect(refusalOf(await new Conversation().send('DELETE', "/Tables('people')"))).toEqual([
      404,
      'ResourceNotFound',
      'The specified resource does not exist.',
    ])
  })
})
