import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation, codeOf, rejectionOf } from '../../support/local-conversation.ts'

const address = "/people(PartitionKey='Smith',RowKey='Jeff')"

describe('updateEntity', () => {
  let service: Conversation
  let etag: string
  beforeEach(async () => {
    service = await Conversation.withTable('people')
    const body = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 41, email: 'jeffs@contoso.com' }
    etag = (await service.send('POST', '/people', { body })).headers.etag as string
  })

  const update = (ifMatch: string, body: object) =>
    service.send('PUT', address, { headers: { 'if-match': ifMatch }, body })

  const stored = async () => JSON.parse((await service.send('GET', address)).body)

  it('R-45: keeps none of the previous properties', async () => {
    const response = await update(etag, { phone: '555' })
    expect(response).toMatchObject({ status: 204, body: '' })
    expect(await stored()).toMatchObject({ phone: '555', 'odata.etag': response.headers.etag })
    expect(await stored()).not.toHaveProperty('age')
  })

  it('R-12: gives the entity a new ETag even when nothing changed', async () => {
    const response = await update(etag, { age: 41, email: 'jeffs@contoso.com' })
    expect(response.headers.etag).not.toBe(etag)
  })

  it('R-44: rejects an outdated ETag', async () => {
    await update(etag, {})
    expect(rejectionOf(await update(etag, { age: 1 }))).toEqual([
      412,
      'UpdateConditionNotSatisfied',
      'The update condition specified in the request was not satisfied.',
    ])
    expect(await stored()).not.toHaveProperty('age')
  })

  it('R-46: accepts any version by *', async () => {
    await update(etag, {})
    expect((await update('*', { age: 1 })).status).toBe(204)
  })

  it('R-45: rejects a missing entity', async () => {
    const response = await service.send('PUT', "/people(PartitionKey='Smith',RowKey='Ben')", {
      headers: { 'if-match': '*' },
      body: {},
    })
    expect(codeOf(response)).toEqual([404, 'ResourceNotFound'])
  })

  it('rejects a body with another key, an invalid condition, and If-None-Match', async () => {
    expect(codeOf(await update('*', { RowKey: 'Ben' }))).toEqual([400, 'InvalidInput'])
    expect(codeOf(await update('yesterday', {}))).toEqual([400, 'InvalidInput'])
    const headers = { 'if-none-match': '*' }
    const response = await service.send('PUT', address, { headers, body: {} })
    expect(codeOf(response)).toEqual([400, 'InvalidInput'])
  })
})
