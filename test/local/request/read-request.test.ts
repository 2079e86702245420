import { describe, expect, it } from 'vitest'
import { parseQueryParameters } from '../../../packages/local/src/request/query-parameters.ts'
import {
  checkBodySize,
  checkContentMd5,
  checkTimeout,
  effectiveMethod,
  MAX_BODY_SIZE,
  type RequestPlace,
  readRequest,
  withBody,
} from '../../../packages/local/src/request/read-request.ts'
import {
  Conversation,
  changeSetOf,
  codeOf,
  partsOf,
  queryOf,
} from '../../support/local-conversation.ts'

const place: RequestPlace = {
  requestId: 'id-1',
  account: 'contoso',
  grant: { kind: 'key' },
  isSecondary: true,
  origin: 'http://localhost:10002',
  basePath: '/contoso',
}

describe('readRequest', () => {
  it('reads a request', () => {
    const call = readRequest(place, {
      method: 'POST',
      resourcePath: "/people(PartitionKey='a',RowKey='b')",
      query: 'timeout=5',
      headers: { 'x-http-method': 'MERGE' },
      body: '{}',
    })
    expect(call).toMatchObject({
      ...place,
      base: 'http://localhost:10002/contoso',
      method: 'MERGE',
      resource: { kind: 'entity', table: 'people', key: { partitionKey: 'a', rowKey: 'b' } },
      body: '{}',
    })
    expect([...call.query]).toEqual([['timeout', '5']])
  })

  it('R-06: rejects an invalid key', () => {
    const text = { method: 'GET', query: '', headers: {}, body: '' }
    expect(() =>
      readRequest(place, { ...text, resourcePath: "/people(PartitionKey='a%2Fb',RowKey='')" }),
    ).toThrow(expect.objectContaining({ code: 'InvalidInput' }))
  })

  it('rejects an invalid timeout', () => {
    const text = { method: 'POST', resourcePath: '/people', headers: {}, body: '{}' }
    expect(() => readRequest(place, { ...text, query: 'timeout=soon' })).toThrow(
      expect.objectContaining({ status: 400 }),
    )
  })
})

describe('withBody', () => {
  const text = { method: 'POST', resourcePath: '/people', query: '', headers: {}, body: '' }

  it('adds the body to a request that was read without it', () => {
    expect(withBody(readRequest(place, text), '{}')).toMatchObject({ method: 'POST', body: '{}' })
  })

  it('rejects a body that was not announced', () => {
    const request = readRequest(place, {
      ...text,
      headers: { 'content-md5': '1B2M2Y8AsgTpgAmY7PhCfg==' },
    })
    expect(() => withBody(request, '{}')).toThrow(expect.objectContaining({ code: 'Md5Mismatch' }))
  })
})

describe('checkBodySize', () => {
  it('counts bytes, not characters', () => {
    expect(() => checkBodySize('a'.repeat(MAX_BODY_SIZE))).not.toThrow()
    const code = expect.objectContaining({ status: 413, code: 'RequestBodyTooLarge' })
    expect(() => checkBodySize('a'.repeat(MAX_BODY_SIZE + 1))).toThrow(code)
    expect(() => checkBodySize('é'.repeat(MAX_BODY_SIZE / 2 + 1))).toThrow(code)
  })
})

const check = (md5: string | undefined, body: string) => () =>
  checkContentMd5(md5 === undefined ? {} : { 'content-md5': md5 }, body)

describe('checkContentMd5', () => {
  it('accepts a body that matches, or one without the header', () => {
    expect(check('1B2M2Y8AsgTpgAmY7PhCfg==', '')).not.toThrow()
    // The output of `printf '{"a":"é"}' | openssl md5 -binary | base64`.
    expect(check('EQ3xC1a4MpkYL3AWSHnSAw==', '{"a":"é"}')).not.toThrow()
    expect(check(undefined, '{}')).not.toThrow()
    expect(check('', '{}')).not.toThrow()
  })

  it('rejects a body that does not match', () => {
    expect(check('1B2M2Y8AsgTpgAmY7PhCfg==', '{}')).toThrow(
      expect.objectContaining({ status: 400, code: 'Md5Mismatch' }),
    )
  })

  it.each(['abc', '1B2M2Y8AsgTpgAmY7PhCfg', 'd41d8cd98f00b204e9800998ecf8427e'])(
    'rejects %s, which is not an MD5 in base64',
    (md5) => {
      expect(check(md5, '')).toThrow(expect.objectContaining({ status: 400, code: 'InvalidMd5' }))
    },
  )
})

const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

describe('effectiveMethod', () => {
  it('returns the verb of a request that is not tunnelled', () => {
    expect(effectiveMethod('MERGE', {})).toBe('MERGE')
  })

  it.each(['MERGE', 'PUT', 'DELETE', 'PATCH', 'merge '])(
    'returns %s when a POST tunnels it',
    (verb) => {
      expect(effectiveMethod('POST', { 'x-http-method': verb })).toBe(verb.trim().toUpperCase())
    },
  )

  it('rejects tunnelling through anything but POST, and an invalid or second verb', () => {
    expect(() => effectiveMethod('PUT', { 'x-http-method': 'MERGE' })).toThrow(
      code('XMethodNotUsingPost'),
    )
    expect(() => effectiveMethod('POST', { 'x-http-method': 'GET' })).toThrow(
      code('XMethodIncorrectValue'),
    )
    expect(() => effectiveMethod('POST', { 'x-http-method': '' })).toThrow(
      code('XMethodIncorrectValue'),
    )
    expect(() => effectiveMethod('POST', { 'x-http-method': 'MERGE, PUT' })).toThrow(
      code('XMethodIncorrectCount'),
    )
  })
})

describe('checkContentType', () => {
  it.each([
    ['application/json', 201],
    ['application/json;odata=verbose; charset=utf-8', 201],
  ])('accepts %s', async (type, status) => {
    const service = new Conversation()
    const headers = { 'content-type': type }
    const body = { TableName: 'people' }
    expect((await service.send('POST', '/Tables', { headers, body })).status).toBe(status)
  })

  it.each([
    ['application/atom+xml', 'AtomFormatNotSupported'],
    ['text/plain', 'MediaTypeNotSupported'],
    ['json', 'MediaTypeNotSupported'],
    [undefined, 'MediaTypeNotSupported'],
  ])('rejects %s', async (type, code) => {
    const service = await Conversation.withTable('people')
    const headers = { 'content-type': type }
    const target = "/people(PartitionKey='a',RowKey='b')"
    expect(codeOf(await service.send('PUT', target, { headers, body: {} }))).toEqual([415, code])
  })
})

const row = "/people(PartitionKey='p',RowKey='r')"
const body = { PartitionKey: 'p', RowKey: 'r' }

describe('checkWritable', () => {
  it('R-117: allows reads of the secondary, with the rows of the primary', async () => {
    const service = await Conversation.withTable('people')
    await service.send('POST', '/people', { body })
    const read = await service.send('GET', row, { isSecondary: true })
    expect(read.status).toBe(200)
    expect(read.body).toContain(
      'http://127.0.0.1:10002/contoso-secondary/$metadata#people/@Element',
    )
    const said = { ...queryOf({ method: 'GET', target: row }), isSecondary: true }
    const [part] = partsOf(await service.send('POST', '/$batch', said))
    expect(part?.status).toBe(200)
  })

  it.each([
    ['POST', '/people', { body }],
    ['PUT', row, { body }],
    ['POST', row, { body, headers: { 'x-http-method': 'MERGE' } }],
    ['DELETE', row, { headers: { 'if-match': '*' } }],
    ['POST', '/Tables', { body: { TableName: 'more' } }],
    ['DELETE', "/Tables('people')", {}],
    ['POST', '/$batch', changeSetOf({ method: 'POST', target: '/people', body })],
  ])('R-117: rejects %s %s on the secondary', async (method, target, said) => {
    const service = await Conversation.withTable('people')
    const response = await service.send(method, target, { ...said, isSecondary: true })
    expect(codeOf(response)).toEqual([403, 'InsufficientAccountPermissions'])
    expect((await service.send('GET', row)).status).toBe(404)
  })
})

const timeoutOf = (query: string) => () => checkTimeout(parseQueryParameters(query))

describe('checkTimeout', () => {
  it.each(['', 'timeout=0', 'timeout=30', 'timeout=100'])("accepts '%s'", (query) => {
    expect(timeoutOf(query)).not.toThrow()
  })

  it.each(['abc', '-1', '', '1.5', '1e3', '9999999999'])(
    "rejects a timeout of '%s', which is not a number of seconds",
    (timeout) => {
      expect(timeoutOf(`timeout=${timeout}`)).toThrow(
        expect.objectContaining({ status: 400, code: 'InvalidQueryParameterValue' }),
      )
    },
  )
})
