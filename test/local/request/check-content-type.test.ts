import { describe, expect, it } from 'vitest'
import { Conversation, codeOf } from '../../support/local-conversation.ts'

describe('checkContentType', () => {
  it.each([
    ['application/json', 201],
    ['application/json;odata=verbose; charset=utf-8', 201],
  ])('accepts %s', async (type, status) => {
    const service = new Conversation()
    const headers = { 'content-type': type }
    const body = { TableName: 'people' }
    expect((await service.send('POST', '/Tables', { headers, body })).status).toBe(status)
  })

  it.each([
    ['application/atom+xml', 'AtomFormatNotSupported'],
    ['text/plain', 'MediaTypeNotSupported'],
    ['json', 'MediaTypeNotSupported'],
    [undefined, 'MediaTypeNotSupported'],
  ])('rejects %s', async (type, code) => {
    const service = await Conversation.withTable('people')
    const headers = { 'content-type': type }
    const target = "/people(PartitionKey='a',RowKey='b')"
    expect(codeOf(await service.send('PUT', target, { headers, body: {} }))).toEqual([415, code])
  })
})
