import { request as httpRequest } from 'node:http'
import { type LocalTableService, localTableService } from '@rowkey/local'
import type { HttpRequest } from '@rowkey/rest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  isOpen,
  matchingRule,
  namesHeader,
  withCorsHeaders,
} from '../../../packages/local/src/access/cors.ts'
import type { CorsRule } from '../../../packages/local/src/service-properties/service-properties.ts'
import { ACCOUNT, Conversation, codeOf, KEY, NOON } from '../../support/local-conversation.ts'
import { accountSas } from '../../support/local-sas.ts'

const rule = (allowedOrigins: string[], allowedMethods: string[]): CorsRule => ({
  allowedOrigins,
  allowedMethods,
  maxAge: 0,
  exposedHeaders: [],
  allowedHeaders: [],
})

describe('matchingRule', () => {
  const one = rule(['http://a.example', 'http://b.example'], ['GET', 'PUT'])
  const all = rule(['*'], ['GET'])

  it.each([
    ['http://a.example', 'GET', one],
    ['http://b.example', 'PUT', one],
    ['http://c.example', 'GET', all],
    ['http://c.example', 'PUT', undefined],
    ['http://A.example', 'PUT', undefined],
    ['https://a.example', 'PUT', undefined],
    ['http://a.example', 'get', undefined],
  ])('R-83: finds the first rule for %s and %s', (origin, method, expected) => {
    expect(matchingRule([one, all], origin, method)).toBe(expected)
  })

  it('is open only with a star', () => {
    expect([isOpen(one), isOpen(all)]).toEqual([false, true])
  })
})

describe('namesHeader', () => {
  it.each([
    [['x-ms-*'], 'x-ms-date', true],
    [['X-MS-*'], 'x-ms-DATE', true],
    [['x-ms-*'], 'content-type', false],
    [['Content-Type'], 'content-type', true],
    [['content'], 'content-type', false],
    [['*'], 'anything', true],
    [[], 'anything', false],
  ])('R-83: of %j contains %s: %s', (names, header, expected) => {
    expect(namesHeader(names, header)).toBe(expected)
  })
})

const rulesFor = (origin: string) =>
  `<StorageServiceProperties><Cors><CorsRule><AllowedOrigins>${origin}</AllowedOrigins><AllowedMethods>POST</AllowedMethods><MaxAgeInSeconds>60</MaxAgeInSeconds><ExposedHeaders></ExposedHeaders><AllowedHeaders>*</AllowedHeaders></CorsRule></Cors></StorageServiceProperties>`
const address = "/people(PartitionKey='a',RowKey='b')"
const STRANGER = 'https://stranger.example'

describe('a request with an Origin', () => {
  const writeFrom = async (origin: string, allowed?: string) => {
    const service = await Conversation.withTable('people')
    if (allowed !== undefined) {
      const body = rulesFor(allowed)
      await service.send('PUT', '/?restype=service&comp=properties', { body })
    }
    const body = { PartitionKey: 'a', RowKey: 'b' }
    const response = await service.send('POST', '/people', { headers: { origin }, body })
    const stored = await service.send('GET', address)
    return { response, isStored: stored.status === 200 }
  }

  it.each([
    [STRANGER, undefined],
    ['null', undefined],
    [STRANGER, 'https://friend.example'],
    ['http://127.0.0.1:10003', undefined],
    ['http://127.0.0.1', undefined],
  ])('from %s changes nothing when the rules allow %s', async (origin, allowed) => {
    const { response, isStored } = await writeFrom(origin, allowed)
    expect([...codeOf(response), isStored]).toEqual([403, 'CorsPreflightFailure', false])
  })

  it.each([
    [STRANGER, STRANGER],
    [STRANGER, '*'],
    ['http://127.0.0.1:10002', undefined],
    ['https://127.0.0.1:10002', undefined],
  ])('from %s writes when the rules allow %s', async (origin, allowed) => {
    const { response, isStored } = await writeFrom(origin, allowed)
    expect([response.status, isStored]).toEqual([201, true])
  })

  it('reads without a rule, and the browser keeps the response from the page', async () => {
    const service = await Conversation.withTable('people')
    const response = await service.send('GET', '/people()', { headers: { origin: STRANGER } })
    expect(response.status).toBe(200)
    expect(response.headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('a page on the web, over HTTP', () => {
  let local: LocalTableService
  let port: number

  beforeEach(async () => {
    local = localTableService({ accounts: [{ name: ACCOUNT, key: KEY }], now: () => NOON })
    port = (await local.listen({ port: 0 })).port
  })

  afterEach(() => local.close())

  /** Sends what a browser sends for `fetch(url, { method: 'POST', mode: 'no-cors', body })`. */
  const post = (path: string, headers: Record<string, string>, body: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      const target = `/${ACCOUNT}${path}?${accountSas()}`
      const sent = httpRequest(
        { port, method: 'POST', path: target, headers: { accept: '*/*', ...headers } },
        (response) => response.resume().on('end', () => resolve(response.statusCode)),
      )
      sent.on('error', reject)
      sent.end(JSON.stringify(body))
    })

  it.each([
    ['bytes without a type', {}, 415],
    ['bytes from its origin', { origin: STRANGER }, 403],
    ['text from its origin', { origin: STRANGER, 'content-type': 'text/plain' }, 403],
    ['JSON from an opaque origin', { origin: 'null', 'content-type': 'application/json' }, 403],
  ])('creates no table and no row by sending %s', async (_, headers, status) => {
    const table = { TableName: 'people' }
    expect(await post('/Tables', headers, table)).toBe(status)
    expect(await post('/Tables', { 'content-type': 'application/json' }, table)).toBe(201)
    expect(await post('/people', headers, { PartitionKey: 'a', RowKey: 'b' })).toBe(status)
    const url = `http://127.0.0.1:${port}/${ACCOUNT}/people()?${accountSas()}`
    const stored = await fetch(url, { headers: { accept: 'application/json;odata=nometadata' } })
    expect(await stored.json()).toEqual({ value: [] })
  })
})

const aRule: CorsRule = {
  allowedOrigins: ['http://a.example'],
  allowedMethods: ['GET', 'PUT'],
  maxAge: 500,
  exposedHeaders: ['etag', 'x-ms-*'],
  allowedHeaders: [],
}
const open: CorsRule = { ...aRule, allowedOrigins: ['*'], exposedHeaders: [] }
const headers = { 'content-type': 'application/json', 'x-ms-version': '1', 'x-ms-request-id': '2' }

const added = (rules: CorsRule[], origin?: string, method: HttpRequest['method'] = 'GET') => {
  const request: HttpRequest = {
    method,
    origin: 'http://localhost',
    path: '/',
    query: '',
    headers: origin === undefined ? {} : { origin },
    body: undefined,
  }
  const response = withCorsHeaders(rules, request, { status: 200, headers, body: 'x' })
  expect(response).toMatchObject({ status: 200, headers, body: 'x' })
  const names = Object.keys(response.headers).filter((name) => !(name in headers))
  return Object.fromEntries(names.map((name) => [name, response.headers[name]]))
}

describe('withCorsHeaders', () => {
  it('adds nothing without rules', () => {
    expect(added([], 'http://a.example')).toEqual({})
  })

  it('adds nothing to the response to a preflight', () => {
    const every: CorsRule = { ...open, allowedMethods: ['GET', 'OPTIONS'] }
    expect(added([every], 'http://a.example', 'OPTIONS')).toEqual({})
  })

  it('R-83: lets a page of an allowed origin read the response and the exposed headers', () => {
    expect(added([aRule], 'http://a.example')).toEqual({
      'access-control-allow-origin': 'http://a.example',
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'etag,x-ms-version,x-ms-request-id',
      vary: 'Origin',
    })
  })

  it('R-83: says that a read depends on the origin, even without an Origin', () => {
    expect(added([aRule], 'http://b.example')).toEqual({ vary: 'Origin' })
    expect(added([aRule])).toEqual({ vary: 'Origin' })
    expect(added([aRule], 'http://a.example', 'PUT').vary).toBeUndefined()
    expect(added([aRule], 'http://a.example', 'DELETE')).toEqual({})
  })

  it('R-83: gives the same response to all origins when all are allowed', () => {
    expect(added([open], 'http://b.example')).toEqual({ 'access-control-allow-origin': '*' })
    expect(added([aRule, open])).toEqual({})
  })
})
