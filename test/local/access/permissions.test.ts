import { beforeEach, describe, expect, it } from 'vitest'
import {
  allowedRows,
  checkRowAllowed,
  neededPermission,
} from '../../../packages/local/src/access/permissions.ts'
import { EVERYTHING } from '../../../packages/local/src/keys/key-range.ts'
import { readRequest } from '../../../packages/local/src/request/read-request.ts'
import type { Grant } from '../../../packages/local/src/request/service-request.ts'
import {
  Conversation,
  changeSetOf,
  codeOf,
  partsOf,
  queryOf,
  rejectionOf,
  xmlCodeOf,
} from '../../support/local-conversation.ts'
import { place } from '../../support/local-place.ts'
import { accountSas, tableSas } from '../../support/local-sas.ts'

const table: Grant = {
  kind: 'table',
  table: 'people',
  permissions: 'raud',
  range: { low: 'b\u0000', high: 'c\u0000' },
}

describe('allowedRows', () => {
  it('returns all rows for a key and for an account', () => {
    expect(allowedRows({ kind: 'key' })).toBe(EVERYTHING)
    const account: Grant = { kind: 'account', permissions: 'r', resourceTypes: 'o' }
    expect(allowedRows(account)).toBe(EVERYTHING)
  })

  it('returns the range of a table signature', () => {
    expect(allowedRows(table)).toBe(table.range)
  })
})

describe('checkRowAllowed', () => {
  it('R-68: rejects rows outside the range, on either side', () => {
    expect(() => checkRowAllowed(table, { partitionKey: 'b', rowKey: 'x' })).not.toThrow()
    for (const partitionKey of ['a', 'c', '']) {
      expect(() => checkRowAllowed(table, { partitionKey, rowKey: 'x' })).toThrow(
        expect.objectContaining({ status: 403, code: 'AuthorizationFailure' }),
      )
    }
  })
})

const row = "/people(PartitionKey='a',RowKey='b')"
const needed = (method: string, target: string, headers: Record<string, string> = {}) => {
  const [resourcePath = '', query = ''] = target.split('?')
  return neededPermission(readRequest(place, { method, resourcePath, query, headers, body: '' }))
}

describe('neededPermission', () => {
  it.each([
    ['GET', '/people()', 'o', ['r']],
    ['GET', row, 'o', ['r']],
    ['POST', '/people', 'o', ['a']],
    ['PUT', row, 'o', ['a', 'u']],
    ['MERGE', row, 'o', ['a', 'u']],
    ['PATCH', row, 'o', ['a', 'u']],
    ['DELETE', row, 'o', ['d']],
    ['GET', '/Tables', 'c', ['l']],
    ['GET', "/Tables('people')", 'c', ['l']],
    ['POST', '/Tables', 'c', ['cw']],
    ['DELETE', "/Tables('people')", 'c', ['d']],
    ['GET', '/?restype=service&comp=properties', 's', ['r']],
    ['PUT', '/?restype=service&comp=properties', 's', ['w']],
    ['GET', '/?restype=service&comp=stats', 's', ['r']],
  ])('R-70: of %s %s is %s with %j', (method, target, type, letters) => {
    expect(needed(method, target)).toEqual({ type, letters })
  })

  it('R-70: of a conditional write is only u', () => {
    expect(needed('PUT', row, { 'if-match': '*' })?.letters).toEqual(['u'])
    const tunnelled = { 'if-match': '*', 'x-http-method': 'MERGE' }
    expect(needed('POST', row, tunnelled)?.letters).toEqual(['u'])
  })

  it('R-82: of a table ACL does not exist', () => {
    expect(needed('GET', '/people?comp=acl')).toBeUndefined()
    expect(needed('PUT', '/people?comp=acl')).toBeUndefined()
  })

  it('of a batch is undefined, because its operations are checked one by one', () => {
    expect(needed('POST', '/$batch')).toBeUndefined()
  })
})

const rowPath = "/people(PartitionKey='p',RowKey='r')"
const body = { PartitionKey: 'p', RowKey: 'r' }
const NONE = [403, 'AuthorizationFailure']
const LETTER = [403, 'AuthorizationPermissionMismatch']
const TYPE = [403, 'AuthorizationResourceTypeMismatch']

describe('checkPermission', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
  })

  const ask =
    (sas: string) =>
    (method: string, target: string, headers = {}, sent?: object) =>
      service.send(method, target, { sas, headers, ...(sent && { body: sent }) })

  it('R-68: a table signature with all letters allows everything with rows', async () => {
    const send = ask(tableSas())
    expect((await send('POST', '/people', {}, body)).status).toBe(201)
    expect((await send('GET', rowPath)).status).toBe(200)
    expect((await send('GET', '/PEOPLE()')).status).toBe(200)
    expect((await send('MERGE', rowPath, {}, {})).status).toBe(204)
    expect((await send('PUT', rowPath, { 'if-match': '*' }, {})).status).toBe(204)
    expect((await send('DELETE', rowPath, { 'if-match': '*' })).status).toBe(204)
  })

  it.each([
    ['aud', 'GET', rowPath, {}],
    ['aud', 'GET', '/people()', {}],
    ['rud', 'POST', '/people', {}],
    ['rad', 'PUT', rowPath, { 'if-match': '*' }],
    ['rad', 'PUT', rowPath, {}],
    ['rud', 'PUT', rowPath, {}],
    ['rud', 'PATCH', rowPath, {}],
    ['rau', 'DELETE', rowPath, { 'if-match': '*' }],
  ])(
    'R-70: rejects a table signature with %s for %s %s %o',
    async (sp, method, target, headers) => {
      expect(codeOf(await ask(tableSas({ sp }))(method, target, headers, body))).toEqual(LETTER)
    },
  )

  it.each([
    ['GET', '/Tables'],
    ['POST', '/Tables'],
    ['DELETE', "/Tables('people')"],
    ['GET', '/others()'],
  ])('R-68: rejects a table signature for %s %s', async (method, target) => {
    expect(codeOf(await ask(tableSas())(method, target, {}, {}))).toEqual(NONE)
  })

  it('R-82: rejects every signature for a table ACL', async () => {
    for (const sas of [tableSas(), accountSas()]) {
      expect(xmlCodeOf(await ask(sas)('GET', '/people?comp=acl'))).toEqual(NONE)
      expect(xmlCodeOf(await ask(sas)('PUT', '/people?comp=acl'))).toEqual(NONE)
    }
  })

  it('R-80: an account signature allows everything else', async () => {
    const send = ask(accountSas())
    expect((await send('POST', '/Tables', {}, { TableName: 'more' })).status).toBe(201)
    expect((await send('GET', '/Tables')).status).toBe(200)
    expect((await send('POST', '/people', {}, body)).status).toBe(201)
    expect((await send('DELETE', "/Tables('more')")).status).toBe(204)
    const properties = '/?restype=service&comp=properties'
    expect((await send('GET', properties)).status).toBe(200)
  })

  it.each([
    ['srt', 's', 'GET', '/Tables', TYPE],
    ['srt', 'c', 'GET', '/people()', TYPE],
    ['srt', 'so', 'POST', '/Tables', TYPE],
    ['sp', 'rwd', 'GET', '/Tables', LETTER],
    ['sp', 'd', 'POST', '/Tables', LETTER],
    ['sp', 'c', 'DELETE', "/Tables('people')", LETTER],
    ['sp', 'wdlau', 'GET', '/people()', LETTER],
  ])('R-80: rejects %s=%s of an account for %s %s', async (name, text, method, target, code) => {
    expect(codeOf(await ask(accountSas({ [name]: text }))(method, target, {}, body))).toEqual(code)
  })

  it.each(['c', 'w'])('R-80: accepts %s alone for creating a table', async (sp) => {
    const response = await ask(accountSas({ sp }))('POST', '/Tables', {}, { TableName: 'more' })
    expect(response.status).toBe(201)
  })

  it('R-70: rejects in JSON, with the text of the service', async () => {
    expect(rejectionOf(await ask(tableSas({ sp: 'a' }))('GET', rowPath))).toEqual([
      403,
      'AuthorizationPermissionMismatch',
      'This request is not authorized to perform this operation using this permission.',
    ])
  })

  it('R-68: checks the signature for every operation of a batch, and names the one it rejects', async () => {
    const insert = { method: 'POST', target: '/people', body }
    const remove = {
      method: 'DELETE',
      target: "/people(PartitionKey='p',RowKey='s')",
      headers: { 'If-Match': '*' },
    }
    const submit = (sas: string, said: object) => service.send('POST', '/$batch', { ...said, sas })
    const refused = await submit(tableSas({ sp: 'a' }), changeSetOf(insert, remove))
    const [part, ...others] = partsOf(refused)
    expect([refused.status, part?.status, others]).toEqual([202, 403, []])
    expect(part?.body).toContain('"value":"1:This request is not authorized')
    expect((await service.send('GET', rowPath)).status).toBe(404)
    const done = await submit(tableSas({ sp: 'a' }), changeSetOf(insert))
    expect(partsOf(done)[0]?.status).toBe(201)
    const query = queryOf({ method: 'GET', target: rowPath })
    expect(partsOf(await submit(tableSas({ sp: 'a' }), query))[0]?.status).toBe(403)
    expect(partsOf(await submit(tableSas({ sp: 'r' }), query))[0]?.status).toBe(200)
  })

  it('R-68: accepts a batch whose operations repeat the signature', async () => {
    const sas = tableSas()
    const insert = changeSetOf({ method: 'POST', target: `/people?${sas}`, body })
    const response = await service.send('POST', '/$batch', { ...insert, sas })
    expect(partsOf(response)[0]?.status).toBe(201)
  })

  it('R-68: does not reveal whether a table exists to a signature of another table', async () => {
    const said = { ...changeSetOf({ method: 'POST', target: '/others', body }), sas: tableSas() }
    const [part] = partsOf(await service.send('POST', '/$batch', said))
    expect(part?.status).toBe(403)
    expect(part?.body).toContain('AuthorizationFailure')
  })
})
