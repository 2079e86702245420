import { describe, expect, it } from 'vitest'
import { Conversation } from '../../support/local-conversation.ts'

const address = "/people(PartitionKey='Smith',RowKey='Jeff')"

describe('insertOrReplaceEntity', () => {
  it('R-44: inserts a missing entity, and replaces an existing one', async () => {
    const service = await Conversation.withTable('people')
    const stored = async () => JSON.parse((await service.send('GET', address)).body)
    const first = await service.send('PUT', address, { body: { age: 41, email: 'a' } })
    expect(first).toMatchObject({ status: 204, body: '' })
    expect(await stored()).toMatchObject({ PartitionKey: 'Smith', RowKey: 'Jeff', age: 41 })
    const second = await service.send('PUT', address, { body: { age: 42 } })
    expect(second.headers.etag).not.toBe(first.headers.etag)
    expect(await stored()).toMatchObject({ age: 42 })
    expect(await stored()).not.toHaveProperty('email')
  })

  it('can be tunnelled through POST', async () => {
    const service = await Conversation.withTable('people')
    const headers = { 'x-http-method': 'PUT' }
    expect((await service.send('POST', address, { headers, body: {} })).status).toBe(204)
  })
})
