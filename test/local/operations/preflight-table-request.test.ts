import { beforeEach, describe, expect, it } from 'vitest'
import { Conversation, xmlCodeOf } from '../../support/local-conversation.ts'

const rule = (origins: string, methods: string, headers: string) =>
  `<CorsRule><AllowedOrigins>${origins}</AllowedOrigins><AllowedMethods>${methods}</AllowedMethods><MaxAgeInSeconds>500</MaxAgeInSeconds><ExposedHeaders>x-ms-*</ExposedHeaders><AllowedHeaders>${headers}</AllowedHeaders></CorsRule>`

describe('preflightTableRequest', () => {
  let service: Conversation
  beforeEach(async () => {
    service = await Conversation.withTable('people')
    const rules =
      rule('http://a.example', 'GET,PUT', 'x-ms-*,content-type') + rule('*', 'GET,DELETE', '*')
    await service.send('PUT', '/?restype=service&comp=properties', {
      body: `<StorageServiceProperties><Cors>${rules}</Cors></StorageServiceProperties>`,
    })
  })

  const ask = (origin: string | undefined, method?: string, headers?: string) =>
    service.send('OPTIONS', '/people()', {
      headers: {
        authorization: undefined,
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': headers,
      },
    })

  it('R-83: allows what the first rule for origin and method allows, without a signature', async () => {
    const response = await ask('http://a.example', 'PUT', 'x-ms-date, Content-Type')
    expect(response).toMatchObject({
      status: 200,
      body: '',
      headers: {
        'access-control-allow-origin': 'http://a.example',
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'x-ms-date, Content-Type',
        'access-control-max-age': '500',
        'access-control-allow-credentials': 'true',
      },
    })
    expect((await ask('http://b.example', 'DELETE', 'anything')).status).toBe(200)
    expect((await ask('http://b.example', 'GET')).headers).not.toHaveProperty(
      'access-control-allow-headers',
    )
  })

  it.each([
    ['another method', 'http://b.example', 'PUT', undefined],
    ['another header', 'http://a.example', 'PUT', 'x-ms-date,accept'],
    ['a header that only a later rule allows', 'http://a.example', 'GET', 'accept'],
  ])('R-83: rejects %s', async (_, origin, method, headers) => {
    const response = await ask(origin, method, headers)
    expect(xmlCodeOf(response)).toEqual([403, 'CorsPreflightFailure'])
  })

  it('R-83: rejects a request without the headers of a preflight', async () => {
    expect(xmlCodeOf(await ask('http://a.example'))).toEqual([400, 'InvalidHeaderValue'])
    expect(xmlCodeOf(await ask(undefined, 'GET'))).toEqual([400, 'InvalidHeaderValue'])
  })

  it('R-83: lets the page read the response to the request itself, even a rejection', async () => {
    const headers = { origin: 'http://a.example' }
    const read = await service.send('GET', '/people()', { headers })
    expect(read.headers).toMatchObject({
      'access-control-allow-origin': 'http://a.example',
      'access-control-expose-headers': 'x-ms-request-id,x-ms-version',
      vary: 'Origin',
    })
    const refused = await service.send('PUT', '/others', { headers })
    expect(refused.status).toBe(405)
    expect(refused.headers['access-control-allow-origin']).toBe('http://a.example')
    const other = await service.send('GET', '/people()', {
      headers: { origin: 'http://b.example' },
    })
    expect(other.headers['access-control-allow-origin']).toBe('*')
  })

  it('R-83: allows nothing without rules', async () => {
    service = new Conversation()
    expect(xmlCodeOf(await ask('http://a.example', 'GET'))).toEqual([403, 'CorsPreflightFailure'])
  })
})
