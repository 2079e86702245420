import { request as httpRequest } from 'node:http'
import { type LocalTableService, localTableService } from '@rowkey/local'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ACCOUNT, Conversation, codeOf, KEY, NOON } from '../../support/local-conversation.ts'
import { accountSas } from '../../support/local-sas.ts'

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
