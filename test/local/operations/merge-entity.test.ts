import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation, codeOf } from '../../support/local-conversation.ts'

const address = "/people(PartitionKey='Smith',RowKey='Jeff')"

describe('mergeEntity', () => {
  let service: Conversation
  let etag: string
  beforeEach(async () => {
    service = await Conversation.withTable('people')
    const body = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 41, email: 'jeffs@contoso.com' }
    etag = (await service.send('POST', '/people', { body })).headers.etag as string
  })

  const stored = async () => JSON.parse((await service.send('GET', address)).body)

  it.each([
    ['MERGE', {}],
    ['PATCH', {}],
    ['POST', { 'x-http-method': 'MERGE' }],
  ])('R-45: keeps properties that are not sent (%s %j)', async (method, tunnel) => {
    const headers = { 'if-match': etag, ...tunnel }
    const response = await service.send(method, address, { headers, body: { age: 42, phone: '5' } })
    expect(response).toMatchObject({ status: 204, body: '' })
    expect(await stored()).toMatchObject({
      age: 42,
      email: 'jeffs@contoso.com',
      phone: '5',
      'odata.etag': response.headers.etag,
    })
  })

  const merge = (body: object, ifMatch = '*') =>
    service.send('MERGE', address, { headers: { 'if-match': ifMatch }, body })

  it('R-09: cannot remove a property by null', async () => {
    await merge({ age: null })
    expect((await stored()).age).toBe(41)
  })

  it('may change the type of a property', async () => {
    await merge({ age: 'forty-one' })
    expect((await stored()).age).toBe('forty-one')
  })

  it('R-44: rejects an old ETag, and a missing entity', async () => {
    await merge({})
    expect(codeOf(await merge({}, etag))).toEqual([412, 'UpdateConditionNotSatisfied'])
    const response = await service.send('MERGE', address.replace('Jeff', 'Ben'), {
      headers: { 'if-match': '*' },
      body: {},
    })
    expect(codeOf(response)).toEqual([404, 'ResourceNotFound'])
  })

  it('checks the size of the merged entity, not of the body', async () => {
    const many = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, at]))
    expect((await merge(many('a', 250))).status).toBe(204)
    expect(codeOf(await merge({ one: 1 }))).toEqual([400, 'TooManyProperties'])
  })
})
