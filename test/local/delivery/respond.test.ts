import { localTableService } from '@rowkey/local'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { anyText } from '../../support/any-text.ts'
import {
  Conversation,
  changeSetOf,
  codeOf,
  NOON,
  rejectionOf,
  xmlCodeOf,
} from '../../support/local-conversation.ts'
import { randomSteps } from '../../support/random-steps.ts'

describe('respond', () => {
  let service: Conversation
  beforeEach(() => {
    service = new Conversation()
  })

  it('every response has an id, the date, and the version and client id of the request', async () => {
    const headers = { 'x-ms-version': '2020-12-06', 'x-ms-client-request-id': 'call 7' }
    const response = await service.send('GET', '/Tables', { headers })
    expect(response.headers).toMatchObject({
      'x-ms-request-id': 'id-1',
      'x-ms-version': '2020-12-06',
      'x-ms-client-request-id': 'call 7',
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      date: new Date(NOON).toUTCString(),
    })
  })

  it('writes a rejection as JSON with its code, text, request id and time', async () => {
    const response = await service.send('GET', "/Tables('people')")
    expect(response).toMatchObject({
      status: 404,
      headers: { 'x-ms-error-code': 'ResourceNotFound' },
    })
    expect(JSON.parse(response.body)).toEqual({
      'odata.error': {
        code: 'ResourceNotFound',
        message: {
          lang: 'en-US',
          value:
            'The specified resource does not exist.\nRequestId:id-1\nTime:2026-11-20T12:00:00.0000000Z',
        },
      },
    })
  })

  it('writes a rejected signature as XML, whatever the client accepts', async () => {
    const response = await service.send('GET', '/Tables', {
      headers: { authorization: 'SharedKeyLite contoso:AAAA' },
    })
    expect(response.status).toBe(403)
    expect(response.headers['content-type']).toBe('application/xml')
    expect(response.body).toContain('<m:code>AuthenticationFailed</m:code>')
  })

  it('repeats the preference of a rejected insert', async () => {
    const headers = { prefer: 'return-no-content' }
    const response = await service.send('POST', '/people', { headers, body: {} })
    expect(response).toMatchObject({
      status: 404,
      headers: { 'preference-applied': headers.prefer },
    })
  })

  it.each(['2019', 'latest', '2019-02-02-preview'])('rejects the version %s', async (version) => {
    const response = await service.send('GET', '/Tables', { headers: { 'x-ms-version': version } })
    expect(codeOf(response)).toEqual([400, 'InvalidHeaderValue'])
    expect(response.headers['x-ms-version']).toBe('2019-02-02')
  })

  it('rejects an invalid version in the query', async () => {
    const read = (version: string) => service.send('GET', `/Tables?api-version=${version}`)
    expect(codeOf(await read('latest'))).toEqual([400, 'InvalidQueryParameterValue'])
    expect((await read('2019-02-02')).status).toBe(200)
  })

  it('rejects an unimplemented query option with NotImplemented', async () => {
    const response = await service.send('GET', '/people()?$orderby=RowKey')
    expect(codeOf(response)).toEqual([501, 'NotImplemented'])
  })

  it.each([
    ['GET', '/people?comp=acl', [404, 'TableNotFound']],
    ['PUT', '/?restype=service&comp=properties', [400, 'InvalidXmlDocument']],
    ['GET', '/?restype=service&comp=stats', [400, 'InvalidQueryParameterValue']],
    ['OPTIONS', '/people', [400, 'InvalidHeaderValue']],
  ])('writes a rejected %s %s as XML', async (method, target, code) => {
    const response = await service.send(method, target)
    expect(xmlCodeOf(response)).toEqual(code)
    expect(response.headers['content-type']).toBe('application/xml')
    expect(response.headers['x-ms-error-code']).toBe(code[1])
  })

  it.each([
    ['PUT', '/Tables', 405],
    ['DELETE', '/people', 405],
    ['GET', '/$batch', 405],
    ['HEAD', "/Tables('people')", 405],
    ['GET', '/', 400],
    ['GET', '/a/b', 400],
    ['GET', '/people(PartitionKey=1,RowKey=2)', 400],
    ['GET', '/%', 400],
    ['GET', '/Tables?$filter=%', 400],
  ])('rejects %s %s', async (method, target, status) => {
    expect((await service.send(method, target)).status).toBe(status)
  })

  it('rejects a body of more than 4 MiB', async () => {
    const body = `{"a":"${'é'.repeat(2 ** 21)}"}`
    expect(codeOf(await service.send('POST', '/Tables', { body }))).toEqual([
      413,
      'RequestBodyTooLarge',
    ])
  })

  it('responds 500 without details to an internal error, and reports it', async () => {
    const failure = new RangeError('the clock is broken')
    const reported: unknown[] = []
    let calls = 0
    const local = localTableService({
      now: () => {
        calls += 1
        if (calls === 2) throw failure
        return NOON
      },
      onInternalError: (error) => reported.push(error),
    })
    const response = await local.transport({
      method: 'GET',
      origin: 'http://localhost',
      path: '/devstoreaccount1/Tables',
      query: '',
      headers: { authorization: 'SharedKeyLite devstoreaccount1:AAAA' },
      body: undefined,
    })
    expect(rejectionOf(response).slice(0, 2)).toEqual([500, 'InternalError'])
    expect(response.body).not.toContain('clock')
    expect(reported).toEqual([failure])
  })

  it('rejects garbage without an internal error', async () => {
    service = await Conversation.withTable('people')
    const address = "/people(PartitionKey='a',RowKey='b')"
    const piece = fc.constantFrom(
      '/people',
      '/$batch',
      '/Tables',
      "('",
      "'",
      ')',
      '(',
      address,
      '%',
    )
    // fast-check's own `webPath` works a second to list its characters.
    const segments = fc
      .array(fc.oneof(fc.string(), anyText()))
      .map((texts) => texts.map(encodeURI).join('/'))
    const path = fc
      .oneof(piece, fc.array(fc.oneof(piece, segments), { maxLength: 4 }))
      .map((pieces) => `/${[pieces].flat().join('')}`.replace(/^\/+/, '/').replaceAll('?', ''))
    const name = fc.constantFrom(
      '$filter',
      '$top',
      '$select',
      'NextPartitionKey',
      'NextRowKey',
      'comp',
      'restype',
      'sig',
      'x',
    )
    const query = fc
      .array(fc.tuple(name, fc.string()), { maxLength: 3 })
      .map((pairs) => pairs.map(([key, text]) => `${key}=${encodeURIComponent(text)}`).join('&'))
    const body = fc.oneof(
      anyText(),
      fc.json(),
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constant(changeSetOf({ method: 'PUT', target: address, body: {} }).body as string),
    )
    const header = fc.constantFrom('accept', 'content-type', 'if-match', 'x-http-method', 'prefer')
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('*', 'MERGE', 'multipart/mixed; boundary=batch_1', 'application/json'),
    )
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'MERGE', 'DELETE', 'HEAD', 'OPTIONS')
    const headers = fc.dictionary(header, text, { noNullPrototype: true })
    await fc.assert(
      fc.asyncProperty(method, path, query, headers, body, async (verb, at, asked, said, sent) => {
        const response = await service.send(verb, `${at}?${asked}`, { headers: said, body: sent })
        expect(response.status === 501 || response.status < 500).toBe(true)
      }),
      { numRuns: randomSteps(5_000) },
    )
  })
})
