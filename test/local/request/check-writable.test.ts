import { describe, expect, it } from 'vitest'
import {
  Conversation,
  changeSetOf,
  codeOf,
  partsOf,
  queryOf,
} from '../../support/local-conversation.ts'

const row = "/people(PartitionKey='p',RowKey='r')"
const body = { PartitionKey: 'p', RowKey: 'r' }

describe('checkWritable', () => {
  it('R-117: allows reads of the secondary, with the rows of the primary', async () => {
    const service = await Conversation.withTable('people')
    await service.send('POST', '/people', { body })
    const read = await service.send('GET', row, { isSecondary: true })
    expect(read.status).toBe(200)
    expect(read.body).toContain(
      'http://127.0.0.1:10002/contoso-secondary/$metadata#people/@Element',
    )
    const said = { ...queryOf({ method: 'GET', target: row }), isSecondary: true }
    const [part] = partsOf(await service.send('POST', '/$batch', said))
    expect(part?.status).toBe(200)
  })

  it.each([
    ['POST', '/people', { body }],
    ['PUT', row, { body }],
    ['POST', row, { body, headers: { 'x-http-method': 'MERGE' } }],
    ['DELETE', row, { headers: { 'if-match': '*' } }],
    ['POST', '/Tables', { body: { TableName: 'more' } }],
    ['DELETE', "/Tables('people')", {}],
    ['POST', '/$batch', changeSetOf({ method: 'POST', target: '/people', body })],
  ])('R-117: rejects %s %s on the secondary', async (method, target, said) => {
    const service = await Conversation.withTable('people')
    const response = await service.send(method, target, { ...said, isSecondary: true })
    expect(codeOf(response)).toEqual([403, 'InsufficientAccountPermissions'])
    expect((await service.send('GET', row)).status).toBe(404)
  })
})
