import { beforeEach, describe, expect, it } from 'vitest'
import {
  chooseChange,
  mergeEntity,
  replaceEntity,
} from '../../../packages/local/src/operations/change-entity.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import { Conversation, codeOf, rejectionOf } from '../../support/local-conversation.ts'
import { place } from '../../support/local-place.ts'
import { decodedProperties } from '../../support/stored-row.ts'
import { before, call, stamp } from './entity-write.ts'

describe('changeEntity', () => {
  it('R-12: lets one of many concurrent writers succeed, and rejects the others', async () => {
    const service = await Conversation.withTable('people')
    const body = { PartitionKey: 'p', RowKey: 'r', count: 0 }
    const { headers } = await service.send('POST', '/people', { body })
    const writes = Array.from({ length: 20 }, (_, count) =>
      service.send('MERGE', "/people(PartitionKey='p',RowKey='r')", {
        headers: { 'if-match': headers.etag },
        body: { count },
      }),
    )
    const statuses = (await Promise.all(writes)).map((response) => response.status)
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect(statuses.filter((status) => status === 412)).toHaveLength(19)
  })

  it('R-43: lets one of many concurrent inserts succeed', async () => {
    const service = await Conversation.withTable('people')
    const body = { PartitionKey: 'p', RowKey: 'r' }
    const inserts = Array.from({ length: 20 }, () => service.send('POST', '/people', { body }))
    const statuses = (await Promise.all(inserts)).map((response) => response.status)
    expect(statuses.toSorted()).toEqual([201, ...Array(19).fill(409)])
  })
})

describe('insertEntity', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
  })

  const insert = (body: string | object) => service.send('POST', '/people', { body })
  const smith = { PartitionKey: 'Smith', RowKey: 'Jeff' }

  it('R-43: stores an entity and returns it with its ETag and Timestamp', async () => {
    const response = await insert({ ...smith, age: 41 })
    expect(response.status).toBe(201)
    expect(JSON.parse(response.body)).toEqual({
      'odata.metadata': 'http://127.0.0.1:10002/contoso/$metadata#people/@Element',
      'odata.etag': response.headers.etag,
      ...smith,
      Timestamp: '2026-11-20T12:00:00Z',
      age: 41,
    })
  })

  it('R-12: makes the ETag from the Timestamp', async () => {
    const { headers } = await insert(smith)
    expect(headers.etag).toBe(`W/"datetime'2026-11-20T12%3A00%3A00Z'"`)
  })

  it('R-05: ignores any Timestamp in the body', async () => {
    const response = await insert({ ...smith, Timestamp: { 'not even': 'a date' } })
    expect(JSON.parse(response.body).Timestamp).toBe('2026-11-20T12:00:00Z')
  })

  it('R-43: rejects an existing entity', async () => {
    await insert(smith)
    expect(rejectionOf(await insert(smith))).toEqual([
      409,
      'EntityAlreadyExists',
      'The specified entity already exists.',
    ])
  })

  it('R-06: accepts empty keys', async () => {
    expect((await insert({ PartitionKey: '', RowKey: '' })).status).toBe(201)
  })

  it.each([
    [{ RowKey: 'r' }, 'PropertiesNeedValue'],
    [{ PartitionKey: 'p', RowKey: null }, 'PropertiesNeedValue'],
    [{ PartitionKey: 1, RowKey: 'r' }, 'InvalidInput'],
    [{ PartitionKey: 'p', RowKey: 'a/b' }, 'OutOfRangeInput'],
    [{ PartitionKey: 'p'.repeat(513), RowKey: 'r' }, 'KeyValueTooLarge'],
    [{ ...smith, 'a-b': 1 }, 'PropertyNameInvalid'],
    [{ ...smith, ['a'.repeat(256)]: 1 }, 'PropertyNameTooLong'],
    [{ ...smith, a: 'a'.repeat(32_769) }, 'PropertyValueTooLarge'],
    [{ ...smith, a: { b: 1 } }, 'InvalidInput'],
    [{ ...smith, a: '1', 'a@odata.type': 'Edm.Int128' }, 'InvalidValueType'],
    ['{"PartitionKey":"p","RowKey":"r","a":1,"a":2}', 'DuplicatePropertiesSpecified'],
    ['{"PartitionKey":"p","RowKey":"r","RowKey":"s"}', 'DuplicateKeyPropertySpecified'],
    ['', 'InvalidInput'],
    ['{"PartitionKey":"p"', 'InvalidInput'],
  ])('R-07: rejects an invalid entity (%#: %s)', async (body, code) => {
    expect(codeOf(await insert(body))).toEqual([400, code])
    const rows = await service.send('GET', '/people()')
    expect(JSON.parse(rows.body).value).toEqual([])
  })

  it.each([
    [{ RowKey: 1, 'a-b': 1 }, 'InvalidInput'],
    [{ RowKey: 'r', 'a-b': 1 }, 'PropertiesNeedValue'],
    [{ PartitionKey: 'p', RowKey: 'a/b', 'a-b': 1 }, 'OutOfRangeInput'],
    [{ ...smith, a: {}, 'a-b': 1 }, 'PropertyNameInvalid'],
    [{ ...smith, a: {}, b: 'b'.repeat(32_769) }, 'InvalidInput'],
  ])('R-07: checks the keys, then names, types and sizes (%#)', async (body, code) => {
    expect(codeOf(await insert(body))).toEqual([400, code])
  })

  it('rejects 253 properties in the words of the service', async () => {
    const many = Object.fromEntries(Array.from({ length: 253 }, (_, at) => [`p${at}`, at]))
    expect(rejectionOf(await insert({ ...smith, ...many }))).toEqual([
      400,
      'TooManyProperties',
      'The entity contains more properties than allowed. Each entity can include up to 252 properties to store data. Each entity also has 3 system properties.',
    ])
  })

  it('responds TableNotFound before it reads the body', async () => {
    expect(rejectionOf(await service.send('POST', '/other', { body: 'nonsense' }))).toEqual([
      404,
      'TableNotFound',
      'The table specified does not exist.',
    ])
  })

  it('rejects an address with a key', async () => {
    const response = await service.send('POST', "/people(PartitionKey='a',RowKey='b')", {
      body: {},
    })
    expect(codeOf(response)).toEqual([405, 'MethodNotAllowed'])
  })
})

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

describe('insertOrMergeEntity', () => {
  it.each(['MERGE', 'PATCH'])(
    'R-44: inserts a missing entity, and merges into an existing one (%s)',
    async (method) => {
      const service = await Conversation.withTable('people')
      expect((await service.send(method, address, { body: { age: 41 } })).status).toBe(204)
      expect((await service.send(method, address, { body: { email: 'a' } })).status).toBe(204)
      const stored = JSON.parse((await service.send('GET', address)).body)
      expect(stored).toMatchObject({ PartitionKey: 'Smith', RowKey: 'Jeff', age: 41, email: 'a' })
    },
  )
})

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

describe('mergeEntity', () => {
  it('R-45: merges the sent properties into the row, with names in order', () => {
    const after = mergeEntity(call()).apply(before, stamp)
    expect(
      Array.from(decodedProperties(after?.properties ?? []), ([name, { value }]) => [name, value]),
    ).toEqual([
      ['a', 2],
      ['b', 1],
      ['z', 0],
    ])
  })

  it('R-44: begins with an empty entity for a missing row', () => {
    const after = mergeEntity(call()).apply(undefined, stamp)
    expect(after?.properties.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('R-46: rejects a row of another version, and a missing one', () => {
    const change = mergeEntity(call({ 'if-match': 'W/"v1"' }))
    expect(() => change.apply(before, stamp)).toThrow(expect.objectContaining({ status: 412 }))
    expect(() => change.apply(undefined, stamp)).toThrow(expect.objectContaining({ status: 404 }))
    const same = mergeEntity(call({ 'if-match': before.etag }))
    expect(same.apply(before, stamp)).toBeDefined()
  })
})

describe('replaceEntity', () => {
  it('R-45: keeps only the sent properties, with names in order', () => {
    const after = replaceEntity(call()).apply(before, stamp)
    expect(after?.properties.map(({ name }) => name)).toEqual(['a', 'b'])
  })

  it('R-46: rejects a row of another version, and a missing one', () => {
    const change = replaceEntity(call({ 'if-match': 'W/"v1"' }))
    expect(() => change.apply(before, stamp)).toThrow(expect.objectContaining({ status: 412 }))
    expect(() => change.apply(undefined, stamp)).toThrow(expect.objectContaining({ status: 404 }))
    const same = replaceEntity(call({ 'if-match': before.etag }))
    expect(same.apply(before, stamp)).toBeDefined()
  })
})

const entity = "/people(PartitionKey='',RowKey='')"
const nameOf = (method: string, target: string, headers: Record<string, string> = {}) => {
  const [resourcePath = '', query = ''] = target.split('?')
  const request = readRequest(place, { method, resourcePath, query, headers, body: '' })
  return chooseChange(request) && request.operation
}

describe('chooseChange', () => {
  it.each([
    ['POST', '/people', {}, 'insertEntity'],
    ['PUT', entity, {}, 'insertOrReplaceEntity'],
    ['PUT', entity, { 'if-match': '*' }, 'updateEntity'],
    ['MERGE', entity, {}, 'insertOrMergeEntity'],
    ['PATCH', entity, { 'if-match': '*' }, 'mergeEntity'],
    ['DELETE', entity, {}, 'deleteEntity'],
    ['GET', entity, {}, undefined],
    ['PUT', `${entity}?comp=acl`, {}, undefined],
    ['PUT', `${entity}?comp=if-match`, {}, undefined],
    ['POST', entity, {}, undefined],
    ['PUT', '/people', {}, undefined],
    ['POST', '/Tables', {}, undefined],
    ['POST', '/$batch', {}, undefined],
  ])('R-44: maps %s %s with %j to %s', (method, path, headers, name) => {
    expect(nameOf(method, path, headers as unknown as Record<string, string>)).toBe(name)
  })
})
