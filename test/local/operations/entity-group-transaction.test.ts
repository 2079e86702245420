import { STATUS_CODES } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  REASONS,
  writeChangeSetResponse,
  writeQueryResponse,
} from '../../../packages/local/src/operations/entity-group-transaction.ts'
import { REJECTION_TEXTS } from '../../../packages/local/src/rejection/rejection.ts'
import {
  type BatchedPart,
  Conversation,
  changeSetOf,
  codeOf,
  partsOf,
  queryOf,
  rejectionOf,
} from '../../support/local-conversation.ts'

const addressOf = (row: string, partition = 'p') =>
  `/people(PartitionKey='${partition}',RowKey='${row}')`

const insert = (RowKey: string, more: object = {}): BatchedPart => ({
  method: 'POST',
  target: '/people',
  headers: { prefer: 'return-no-content' },
  body: { PartitionKey: 'p', RowKey, ...more },
})

describe('entityGroupTransaction', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
  })

  const transact = async (...parts: readonly BatchedPart[]) => {
    const response = await service.send('POST', '/$batch', changeSetOf(...parts))
    expect(response.status).toBe(202)
    return partsOf(response)
  }

  const rows = async () => {
    const { body } = await service.send('GET', '/people()')
    const { value } = JSON.parse(body) as { value: { RowKey: string }[] }
    return value.map((row) => row.RowKey)
  }

  it('R-54: applies every kind of change in one transaction', async () => {
    await transact(...['a', 'b', 'c', 'd'].map((row) => insert(row, { age: 1, keep: true })))
    const any = { 'if-match': '*' }
    const responses = await transact(
      insert('new'),
      { method: 'PUT', target: addressOf('a'), headers: any, body: { age: 2 } },
      { method: 'MERGE', target: addressOf('b'), headers: any, body: { age: 2 } },
      { method: 'DELETE', target: addressOf('c'), headers: any },
      { method: 'PUT', target: addressOf('x'), body: {} },
      { method: 'PATCH', target: addressOf('d'), body: { age: 2 } },
    )
    expect(responses.map((response) => response.status)).toEqual(Array(6).fill(204))
    expect(await rows()).toEqual(['a', 'b', 'd', 'new', 'x'])
    const stored = async (row: string) =>
      JSON.parse((await service.send('GET', addressOf(row))).body)
    expect(await stored('a')).not.toHaveProperty('keep')
    expect(await stored('b')).toMatchObject({ age: 2, keep: true })
    expect(await stored('d')).toMatchObject({ age: 2, keep: true })
  })

  it('R-55: responds in the order of the operations, each with its own ETag', async () => {
    const responses = await transact(insert('b'), insert('a'), insert('c'))
    expect(responses.map(({ headers }) => headers.Location)).toEqual(
      ['b', 'a', 'c'].map((row) => expect.stringContaining(`RowKey='${row}'`)),
    )
    expect(new Set(responses.map(({ headers }) => headers.ETag)).size).toBe(3)
  })

  it('returns an inserted entity when the client prefers it', async () => {
    const [response] = await transact({ ...insert('a'), headers: { prefer: 'return-content' } })
    expect(response).toMatchObject({
      status: 201,
      headers: {
        'Preference-Applied': 'return-content',
        'Content-Type': 'application/json;odata=minimalmetadata;streaming=true;charset=utf-8',
      },
    })
    expect(JSON.parse(response?.body ?? '')).toMatchObject({ RowKey: 'a' })
  })

  it('R-53: changes nothing when one change is rejected', async () => {
    await transact(insert('taken'))
    const responses = await transact(insert('a'), insert('b'), insert('c'), insert('taken'))
    expect(responses).toHaveLength(1)
    expect(rejectionOf(responses[0] as never)).toEqual([
      409,
      'EntityAlreadyExists',
      '3:The specified entity already exists.',
    ])
    expect(await rows()).toEqual(['taken'])
  })

  it.each([
    ['DELETE', '*', 404, 'ResourceNotFound', 'The specified resource does not exist.'],
    ['MERGE', '*', 404, 'ResourceNotFound', 'The specified resource does not exist.'],
  ])(
    'R-56: adds no index to the rejection of a single change (%s)',
    async (method, etag, ...refusal) => {
      const headers = { 'if-match': etag }
      const [response] = await transact({ method, target: addressOf('a'), headers, body: '{}' })
      expect(rejectionOf(response as never)).toEqual(refusal)
    },
  )

  it('R-56: names the second change to one row', async () => {
    const [response] = await transact(insert('a'), insert('b'), insert('a'))
    expect(rejectionOf(response as never)).toEqual([
      400,
      'InvalidDuplicateRow',
      '2:The batch request contains multiple changes with same row key. An entity can appear only once in a batch request.',
    ])
    expect(await rows()).toEqual([])
  })

  it('R-53: names the first change to another partition', async () => {
    const other = { ...insert('b'), body: { PartitionKey: 'q', RowKey: 'b' } }
    const [response] = await transact(insert('a'), other)
    expect(rejectionOf(response as never)).toEqual([
      400,
      'CommandsInBatchActOnDifferentPartitions',
      '1:All commands in a batch must operate on same entity group.',
    ])
  })

  it('R-53: rejects changes to two tables', async () => {
    await service.send('POST', '/Tables', { body: { TableName: 'orders' } })
    const [response] = await transact(insert('a'), { ...insert('b'), target: '/orders' })
    expect(codeOf(response as never)).toEqual([400, 'CommandsInBatchActOnDifferentPartitions'])
    expect(await transact(insert('a'), { ...insert('b'), target: '/PEOPLE' })).toHaveLength(2)
  })

  it('R-56: names the change with an invalid entity', async () => {
    const [response] = await transact(insert('a'), insert('b', { c: {} }))
    expect(rejectionOf(response as never)[2]).toMatch(/^1:The property 'c'/)
    expect(await rows()).toEqual([])
  })

  it('reports a missing table at the first change', async () => {
    const [response] = await transact({ ...insert('a'), target: '/orders' })
    expect(rejectionOf(response as never)).toEqual([
      404,
      'TableNotFound',
      '0:The table specified does not exist.',
    ])
  })

  it('R-53: accepts 100 changes and rejects 101', async () => {
    const many = Array.from({ length: 101 }, (_, at) => insert(String(at).padStart(3, '0')))
    const [response] = await transact(...many)
    expect(rejectionOf(response as never)).toEqual([
      400,
      'InvalidInput',
      '99:The batch request operation exceeds the maximum 100 changes per change set.',
    ])
    expect(await transact(...many.slice(1))).toHaveLength(100)
    expect(await rows()).toHaveLength(100)
  })

  it('responds to an empty change set with an empty one', async () => {
    expect(await transact()).toEqual([])
  })

  it('rejects a change with two conditions, or tunnelled to two verbs', async () => {
    await transact(insert('a'))
    const target = addressOf('a')
    const twice = (name: string, one: string, other: string) => ({
      [name]: one,
      [name.toUpperCase()]: other,
    })
    const [conditions] = await transact({
      method: 'PUT',
      target,
      headers: twice('if-match', 'W/"x"', '*'),
      body: {},
    })
    expect(codeOf(conditions as never)).toEqual([400, 'InvalidInput'])
    const [verbs] = await transact({
      method: 'POST',
      target,
      headers: twice('x-http-method', 'MERGE', 'DELETE'),
      body: {},
    })
    expect(codeOf(verbs as never)).toEqual([400, 'XMethodIncorrectCount'])
  })

  it('repeats a Content-ID, on success and on failure', async () => {
    const part = { ...insert('a'), headers: { 'content-id': '7' } }
    expect((await transact(part))[0]).toMatchObject({ status: 201, headers: { 'Content-ID': '7' } })
    expect((await transact(part))[0]).toMatchObject({ status: 409, headers: { 'Content-ID': '7' } })
  })

  it.each([
    { method: 'GET', target: addressOf('a') },
    { method: 'POST', target: '/Tables', body: { TableName: 'x' } },
    { method: 'DELETE', target: '/people' },
    { method: 'POST', target: '/$batch' },
    { method: 'PUT', target: "/people(PartitionKey='a')" },
  ])('R-54: rejects $method $target among changes', async (part) => {
    const [response] = await transact(insert('a'), part)
    expect(rejectionOf(response as never)).toEqual([
      400,
      expect.anything(),
      expect.stringMatching(/^1:/),
    ])
    expect(await rows()).toEqual([])
  })

  describe('with a single query', () => {
    const query = async (target: string, method = 'GET') =>
      service.send('POST', '/$batch', queryOf({ method, target }))

    it('R-54: reads one entity', async () => {
      await transact(insert('a', { age: 1 }))
      const response = await query(addressOf('a'))
      expect(response.status).toBe(202)
      const [part] = partsOf(response)
      expect(part).toMatchObject({ status: 200, headers: { ETag: expect.stringMatching(/^W/) } })
      expect(JSON.parse(part?.body ?? '')).toMatchObject({ RowKey: 'a', age: 1 })
    })

    it('R-54: reports a missing entity to the query', async () => {
      const [part] = partsOf(await query(addressOf('a')))
      expect(rejectionOf(part as never)).toEqual([
        404,
        'ResourceNotFound',
        '0:The specified resource does not exist.',
      ])
    })

    it('rejects at the requested metadata level, and repeats the Content-ID', async () => {
      const headers = { accept: 'application/json;odata=nometadata', 'Content-ID': '7' }
      const lone = queryOf({ method: 'GET', target: addressOf('a'), headers })
      const [part] = partsOf(await service.send('POST', '/$batch', lone))
      expect(part).toMatchObject({
        status: 404,
        headers: {
          'Content-ID': '7',
          'Content-Type': 'application/json;odata=nometadata;streaming=true;charset=utf-8',
        },
      })
    })

    it('R-56: adds the index once to every rejection', async () => {
      const headers = { 'X-HTTP-Method': 'DELETE' }
      const target = addressOf('a')
      const lone = queryOf({ method: 'GET', target, headers })
      const response = await service.send('POST', '/$batch', lone)
      const [part] = partsOf(response)
      expect(rejectionOf(part as never)).toEqual([
        400,
        'XMethodNotUsingPost',
        expect.stringMatching(/^0:[^:]*$/),
      ])
    })

    it('does not run queries for many entities', async () => {
      const [part] = partsOf(await query('/people()'))
      expect(codeOf(part as never)).toEqual([501, 'NotImplemented'])
    })

    it('R-54: rejects a write outside a change set', async () => {
      expect(codeOf(await query(addressOf('a'), 'DELETE'))).toEqual([400, 'InvalidInput'])
    })
  })
})

const ids = () => {
  let count = 0
  return () => `id${++count}`
}

describe('writeChangeSetResponse', () => {
  it('writes parts as the service was recorded to', () => {
    const parts = [
      { response: { status: 204, headers: { etag: 'W/"a"' }, body: '' }, request: undefined },
      {
        response: {
          status: 204,
          headers: { location: 'l', dataserviceid: 'd', 'preference-applied': 'p' },
          body: '',
        },
        request: undefined,
      },
    ]
    expect(writeChangeSetResponse(parts, ids())).toEqual({
      status: 202,
      headers: { 'content-type': 'multipart/mixed; boundary=batchresponse_id2' },
      body: [
        '--batchresponse_id2',
        'Content-Type: multipart/mixed; boundary=changesetresponse_id1',
        '',
        '--changesetresponse_id1',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        'HTTP/1.1 204 No Content',
        'X-Content-Type-Options: nosniff',
        'Cache-Control: no-cache',
        'DataServiceVersion: 1.0;',
        'ETag: W/"a"',
        '',
        '',
        '--changesetresponse_id1',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        'HTTP/1.1 204 No Content',
        'X-Content-Type-Options: nosniff',
        'Cache-Control: no-cache',
        'Preference-Applied: p',
        'DataServiceVersion: 3.0;',
        'Location: l',
        'DataServiceId: d',
        '',
        '',
        '--changesetresponse_id1--',
        '--batchresponse_id2--',
        '',
      ].join('\r\n'),
    })
  })
})

describe('writeQueryResponse', () => {
  it('writes the part without a change set', () => {
    const part = { response: { status: 200, headers: {}, body: '{}' }, request: undefined }
    expect(writeQueryResponse(part, ids()).body).toBe(
      [
        '--batchresponse_id1',
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        '',
        'HTTP/1.1 200 OK',
        'X-Content-Type-Options: nosniff',
        'Cache-Control: no-cache',
        'DataServiceVersion: 3.0;',
        '',
        '{}',
        '--batchresponse_id1--',
        '',
      ].join('\r\n'),
    )
  })
})

it('every status of a rejection has the reason phrase of HTTP', () => {
  const statuses = Object.values(REJECTION_TEXTS).map(([status]) => status)
  for (const status of [200, 201, 204, ...statuses])
    expect(REASONS[status]).toBe(STATUS_CODES[status])
})
