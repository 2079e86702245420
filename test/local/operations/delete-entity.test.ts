import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation, codeOf } from '../../support/local-conversation.ts'

const address = "/people(PartitionKey='Smith',RowKey='Jeff')"

describe('deleteEntity', () => {
  let service: Conversation
  let etag: string
  beforeEach(async () => {
    service = await Conversation.withTable('people')
    const body = { PartitionKey: 'Smith', RowKey: 'Jeff' }
    etag = (await service.send('POST', '/people', { body })).headers.etag as string
  })

  const remove = (ifMatch: string | undefined) =>
    service.send('DELETE', address, { headers: { 'if-match': ifMatch } })

  it('R-43: deletes the named version, and responds without an ETag', async () => {
    const response = await remove(etag)
    expect(response).toMatchObject({ status: 204, body: '' })
    expect(response.headers).not.toHaveProperty('etag')
    expect(codeOf(await service.send('GET', address))).toEqual([404, 'ResourceNotFound'])
  })

  it('R-43: deletes through POST as well', async () => {
    const headers = { 'x-http-method': 'DELETE', 'if-match': '*' }
    expect((await service.send('POST', address, { headers })).status).toBe(204)
  })

  it('R-46: rejects another version, and a delete without a condition', async () => {
    expect(codeOf(await remove('W/"other"'))).toEqual([412, 'UpdateConditionNotSatisfied'])
    expect(codeOf(await remove(undefined))).toEqual([400, 'InvalidInput'])
    expect((await service.send('GET', address)).status).toBe(200)
  })

  it('responds ResourceNotFound for a missing entity', async () => {
    await remove('*')
    expect(codeOf(await remove('*'))).toEqual([404, 'ResourceNotFound'])
  })
})
