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
    const answer = await service.send('POST', '/people', { body })
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(address)
    expect(answer.headers).not.toHaveProperty('preference-applied')
    expect(JSON.parse(answer.body)).toMatchObject(body)
  })

  it('R-48: returns no content when the client prefers that, and says so', async () => {
    const headers = { prefer: 'return-no-content' }
    const answer = await service.send('POST', '/people', { headers, body })
    expect(answer).toMatchObject({ status: 204, body: '' })
    expect(answer.headers).toMatchObject({
      location: address,
      dataserviceid: address,
      'preference-applied': 'return-no-content',
    })
    expect(answer.headers).not.toHaveProperty('content-type')
  })

  it('R-48: says that it returns content when the client prefers that', async () => {
    const headers = { prefer: 'return-content' }
    const answer = await service.send('POST', '/people', { headers, body })
    expect(answer).toMatchObject({
      status: 201,
      headers: { 'preference-applied': 'return-content' },
    })
    expect(answer.headers).not.toHaveProperty('dataserviceid')
  })
})
