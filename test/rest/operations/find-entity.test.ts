import { findEntity, getEntity, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { contoso, etag, jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const { table, key } = jeff
const missing = (code: string) => ({
  status: 404,
  body: `{"odata.error":{"code":"${code}","message":{"lang":"en-US","value":"No."}}}`,
})

describe('findEntity', () => {
  it('asks as getEntity does', () => {
    const input = { table, key, select: ['a'] }
    expect(findEntity.toRequest(input, contoso)).toEqual(getEntity.toRequest(input, contoso))
  })

  it('gives the entity', async () => {
    const transport = scriptedTransport({ headers: { etag }, body: jeff.body })
    const found = await perform(serviceOver(transport), findEntity, { table, key })
    expect(found).toEqual({ raw: { PartitionKey: 'Smith', RowKey: 'Jeff' }, etag })
  })

  it.each(['ResourceNotFound', 'EntityNotFound'])('gives nothing on %s', async (code) => {
    const service = serviceOver(scriptedTransport(missing(code)))
    expect(await perform(service, findEntity, { table, key })).toBeUndefined()
  })

  it('throws when there is no table', async () => {
    const service = serviceOver(scriptedTransport(missing('TableNotFound')))
    await expect(perform(service, findEntity, { table, key })).rejects.toMatchObject({
      name: 'TableNotFoundError',
      code: 'TableNotFound',
    })
  })
})
