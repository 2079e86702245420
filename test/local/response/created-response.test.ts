import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation } from '../../support/local-conversation.ts'

const body = { PartitionKey: 'Smith', RowKey: "O'Jeff é" }
const address =
  "http://127.0.0.1:10002/contoso/people(PartitionKey='Smith',RowKey='O''Jeff%20%C3%A9')"

describe('createdResponse', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
  })

  it('R-48: returns the entity without a preference', async () => {
    const response = await service.send('POST', '/people', { body })
    expect(response.status).toBe(201)
    expect(response.headers.location).toBe(address)
    expect(response.headers).not.toHaveProperty('preference-applied')
    expect(JSON.parse(response.body)).toMatchObject(body)
  })

  it('R-48: returns no content when the client prefers that, and says so', async () => {
    const headers = { prefer: 'return-no-content' }
    const response = await service.send('POST', '/people', { headers, body })
    expect(response).toMatchObject({ status: 204, body: '' })
    expect(response.headers).toMatchObject({
      location: address,
      dataserviceid: address,
      'preference-applied': 'return-no-content',
    })
    expect(response.headers).not.toHaveProperty('content-type')
  })

  it('R-48: says that it returns content when the client prefers that', async () => {
    const headers = { prefer: 'return-content' }
    const response = await service.send('POST', '/people', { headers, body })
    expect(response).toMatchObject({
      status: 201,
      headers: { 'preference-applied': 'return-content' },
    })
    expect(response.headers).not.toHaveProperty('dataserviceid')
  })
})
