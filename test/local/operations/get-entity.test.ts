import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation, codeOf, rejectionOf } from '../../support/local-conversation.ts'

const body = {
  PartitionKey: 'Smith',
  RowKey: 'Jeff',
  'points@odata.type': 'Edm.Int64',
  points: '9007199254740993',
  email: 'jeffs@contoso.com',
}
const address = "/people(PartitionKey='Smith',RowKey='Jeff')"

describe('getEntity', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
    await service.send('POST', '/people', { body })
  })

  it('R-43: returns an entity with its ETag, also in the header', async () => {
    const response = await service.send('GET', address)
    expect(response.status).toBe(200)
    expect(JSON.parse(response.body)).toMatchObject(body)
    expect(JSON.parse(response.body)['odata.etag']).toBe(response.headers.etag)
  })

  it('finds the table in any case, and returns its name as it was created', async () => {
    const response = await service.send('GET', address.replace('people', 'PEOPLE'))
    expect(JSON.parse(response.body)['odata.metadata']).toMatch(/#people\/@Element$/)
  })

  it('returns selected properties, and null for missing ones', async () => {
    const response = await service.send('GET', `${address}?$select=email,phone`)
    expect(JSON.parse(response.body)).toEqual({
      'odata.metadata':
        'http://127.0.0.1:10002/contoso/$metadata#people/@Element&$select=email,phone',
      'odata.etag': response.headers.etag,
      email: body.email,
      phone: null,
    })
  })

  it('returns the ETag once when it is selected too', async () => {
    const response = await service.send('GET', `${address}?$select=odata.etag,email`)
    expect(response.body.match(/"odata\.etag"/g)).toHaveLength(1)
    expect(JSON.parse(response.body)).toMatchObject({ 'odata.etag': response.headers.etag })
  })

  it('distinguishes a missing entity from a missing table', async () => {
    expect(
      rejectionOf(await service.send('GET', "/people(PartitionKey='Smith',RowKey='Ben')")),
    ).toEqual([404, 'ResourceNotFound', 'The specified resource does not exist.'])
    expect(codeOf(await service.send('GET', address.replace('people', 'other')))).toEqual([
      404,
      'TableNotFound',
    ])
  })

  it.each([
    ["email eq 'jeffs@contoso.com' and points gt 1L", [200, undefined]],
    ["RowKey eq 'Jeff'", [200, undefined]],
    ["email eq 'other'", [404, 'ResourceNotFound']],
    ['missing eq 1', [404, 'ResourceNotFound']],
    ['email eq', [400, 'InvalidInput']],
  ])('applies the $filter %s', async (filter, expected) => {
    const response = await service.send('GET', `${address}?$filter=${encodeURIComponent(filter)}`)
    expect([response.status, response.headers['x-ms-error-code']]).toEqual(expected)
  })

  it('ignores an If-None-Match', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await service.send('GET', address, { headers })).status).toBe(200)
  })
})
