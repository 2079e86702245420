import { beforeEach, describe, expect, it, vi } from 'vitest'
import { checkTableName } from '../../../packages/local/src/operations/create-table.ts'
import { MemoryStore } from '../../../packages/local/src/store/memory-store.ts'
import { Conversation, codeOf, rejectionOf } from '../../support/local-conversation.ts'

describe('createTable', () => {
  let service: Conversation
  beforeEach(() => {
    service = new Conversation()
  })

  const create = (body: string | object) => service.send('POST', '/Tables', { body })

  it('R-25: creates a table and returns it', async () => {
    const response = await create({ TableName: 'People' })
    expect(response.status).toBe(201)
    expect(response.headers.location).toBe("http://127.0.0.1:10002/contoso/Tables('People')")
    expect(response.headers).not.toHaveProperty('etag')
    expect(JSON.parse(response.body)).toEqual({
      'odata.metadata': 'http://127.0.0.1:10002/contoso/$metadata#Tables/@Element',
      TableName: 'People',
    })
  })

  it('creates a table without listing the others, however many there are', async () => {
    const list = vi.spyOn(MemoryStore.prototype, 'tableNames')
    try {
      for (const name of ['one', 'two', 'three']) await create({ TableName: name })
      expect(list).not.toHaveBeenCalled()
      await service.send('GET', '/Tables')
      expect(list).toHaveBeenCalledOnce()
    } finally {
      list.mockRestore()
    }
  })

  it('R-25: returns nothing when the client prefers no content', async () => {
    const headers = { prefer: 'return-no-content' }
    const response = await service.send('POST', '/Tables', {
      headers,
      body: { TableName: 'people' },
    })
    expect(response).toMatchObject({ status: 204, body: '' })
    expect(response.headers.dataserviceid).toBe(response.headers.location)
  })

  it('R-01: rejects a name that exists in any case', async () => {
    await create({ TableName: 'people' })
    expect(rejectionOf(await create({ TableName: 'PEOPLE' }))).toEqual([
      409,
      'TableAlreadyExists',
      'The table specified already exists.',
    ])
  })

  it('R-01: rejects an invalid name', async () => {
    expect(rejectionOf(await create({ TableName: '啊齄丂狛狜' }))).toEqual([
      400,
      'InvalidResourceName',
      'The specifed resource name contains invalid characters.',
    ])
    expect(codeOf(await create({ TableName: 'ab' }))).toEqual([400, 'OutOfRangeInput'])
  })

  it.each(['', '{}', '[]', '{"TableName":null}', '{"TableName":5}', '{"TableName":"people"'])(
    'rejects the body %j',
    async (body) => {
      expect(codeOf(await create(body))).toEqual([400, 'InvalidInput'])
    },
  )
})

const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

describe('checkTableName', () => {
  it.each(['abc', 'People2', 'a'.repeat(63), 'tables2'])('R-01: accepts %s', (name) => {
    expect(() => checkTableName(name)).not.toThrow()
  })

  it.each(['', '1ab', 'a-b', 'a_b', 'größe', 'abc ', 'abc\n', '啊齄丂'])(
    'R-01: rejects %j for its characters',
    (name) => {
      expect(() => checkTableName(name)).toThrow(code('InvalidResourceName'))
    },
  )

  it.each(['tables', 'Tables'])('R-01: rejects %s, which the service has', (name) => {
    expect(() => checkTableName(name)).toThrow(code('InvalidInput'))
  })

  it.each(['ab', 'a'.repeat(64)])('R-01: rejects %s for its length', (name) => {
    expect(() => checkTableName(name)).toThrow(code('OutOfRangeInput'))
  })
})
