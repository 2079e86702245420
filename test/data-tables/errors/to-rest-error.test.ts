import { RestError, TableClient } from '@rowkey/data-tables'
import { AmbiguousWriteError, type Transport, TransportError } from '@rowkey/rest'
import { failingTransport } from '@rowkey/rest/testing'
import { expect, it } from 'vitest'
import { openPeople } from '../open.ts'

const row = { partitionKey: 'p', rowKey: 'r' }

async function errorOf(call: () => Promise<unknown>): Promise<RestError> {
  const error: unknown = await call().catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(RestError)
  return error as RestError
}

it("has the service's JSON as its message, and the error of it in details", async () => {
  const { people } = await openPeople()
  await people.createEntity(row)
  const error = await errorOf(() => people.createEntity(row))
  const odataError = {
    code: 'EntityAlreadyExists',
    message: { lang: 'en-US', value: expect.stringContaining('already exists') },
  }
  expect(error).toMatchObject({ statusCode: 409, code: 'EntityAlreadyExists' })
  expect(JSON.parse(error.message)).toEqual({ 'odata.error': odataError })
  expect(error.details).toMatchObject({
    odataError,
    errorCode: 'EntityAlreadyExists',
    'x-ms-request-id': expect.any(String),
  })
  expect(error.cause).toMatchObject({ name: 'EntityAlreadyExistsError', mayHaveApplied: false })
})

it('has the request and the response, which do not appear in logs', async () => {
  const { people } = await openPeople()
  const { request, response, ...logged } = await errorOf(() => people.getEntity('p', 'r'))
  expect(request?.method).toBe('GET')
  expect(request?.url).toContain("people(PartitionKey='p',RowKey='r')")
  expect(response).toMatchObject({
    status: 404,
    parsedBody: { odataError: { code: 'ResourceNotFound' } },
  })
  expect(response?.headers.get('X-MS-Request-Id')).toEqual(expect.any(String))
  expect(JSON.stringify(logged)).not.toContain('SharedKey')
  expect(Object.keys(logged).sort()).toEqual(['code', 'details', 'name', 'statusCode'])
})

/** The error of a call that gets this response. */
function errorAfter(
  body: string,
  call: (people: TableClient) => Promise<unknown>,
  headers: Record<string, string> = {},
): Promise<RestError> {
  const transport: Transport = async () => ({ status: 400, headers, body })
  const client = new TableClient('https://contoso.table.core.windows.net', 'people', { transport })
  return errorOf(() => call(client))
}

it.each([
  ['{"code":"Throttled","message":"slow down"}', { code: 'Throttled', message: 'slow down' }],
  [
    '{"error":{"code":"Throttled","message":"slow down"}}',
    { error: { code: 'Throttled', message: 'slow down' } },
  ],
])('has the code, the message and the members of %s', async (body, members) => {
  const error = await errorAfter(body, (people) => people.getEntity('p', 'r'))
  expect(error).toMatchObject({ code: 'Throttled', message: 'slow down', details: members })
  expect(error.response).toMatchObject({ parsedBody: members, bodyAsText: body })
})

it('has the headers of the response, and its request', async () => {
  const headers = { 'x-ms-error-code': 'OutOfRange', 'x-more': 'yes' }
  const error = await errorAfter('', (people) => people.getEntity('p', 'r'), headers)
  const shown = { errorCode: 'OutOfRange', 'x-more': 'yes' }
  expect(error).toMatchObject({ code: 'OutOfRange', details: shown })
  expect(error.response).toMatchObject({ parsedHeaders: shown })
  expect(error.response?.request).toBe(error.request)
})

it('has the text of the service when a whole transaction is rejected', async () => {
  const body = '{"odata.error":{"code":"A","message":{"lang":"en-US","value":"table is missing"}}}'
  const error = await errorAfter(body, (people) => people.submitTransaction([['create', row]]))
  expect(error).toMatchObject({ code: 'A', message: 'table is missing' })
})

it('says which change of a transaction failed, as the service does', async () => {
  const { people } = await openPeople()
  await people.createEntity(row)
  const error = await errorOf(() =>
    people.submitTransaction([
      ['create', { ...row, rowKey: 's' }],
      ['create', row],
    ]),
  )
  expect(error).toMatchObject({ statusCode: 409, code: 'EntityAlreadyExists' })
  expect(error.message).toMatch(/^1:The specified entity already exists/)
})

it('has the code of a parser when the response to a write cannot be read', async () => {
  const { local } = await openPeople()
  const transport: Transport = async (request, limits) => {
    const response = await local.transport(request, limits)
    return request.path.endsWith('$batch') ? { ...response, body: 'no parts' } : response
  }
  const options = { transport, retryOptions: { maxRetries: 0 } }
  const people = TableClient.fromConnectionString(local.connectionString(), 'people', options)
  const error = await errorOf(() => people.submitTransaction([['create', row]]))
  expect(error).toMatchObject({ code: 'PARSE_ERROR', response: { bodyAsText: 'no parts' } })
  expect(error.cause).toBeInstanceOf(AmbiguousWriteError)
})

it.each([
  ['the page of a proxy', 'text/html', 200, '<html>'],
  ['a page that was cut off', 'application/json', 200, '{"value":[{'],
  ['a redirect', 'text/html', 302, ''],
])('has the code of a parser and the status for %s', async (_what, contentType, status, body) => {
  const transport: Transport = async () => ({
    status,
    headers: { 'content-type': contentType },
    body,
  })
  const options = { transport, retryOptions: { maxRetries: 0 } }
  const client = new TableClient('https://contoso.table.core.windows.net', 'people', options)
  const row = client.listEntities().next()
  const error = await errorOf(() => row)
  expect(error).toMatchObject({ code: 'PARSE_ERROR', statusCode: status })
  expect(error.cause).toMatchObject({ name: 'DecodeError', code: 'UnexpectedResponse' })
})

it('has the code of the socket when no response came', async () => {
  const url = 'http://127.0.0.1:9/devstoreaccount1'
  const client = new TableClient(url, 'people', { retryOptions: { maxRetries: 0 } })
  const error = await errorOf(() => client.getEntity('p', 'r'))
  expect(error.code).toMatch(/^(?:ECONNREFUSED|REQUEST_SEND_ERROR)$/)
  expect(error.cause).toBeInstanceOf(TransportError)
  expect(error.message).toBe((error.cause as Error).message)
  expect(error.request?.url).toContain(url)
})

it('has what the RestError of an HTTP client says', async () => {
  const hangUp = new Error('socket hang up')
  const thrown = Object.assign(hangUp, { name: 'RestError', code: 'ECONNRESET' })
  const client = new TableClient('https://contoso.table.core.windows.net', 'people', {
    httpClient: { sendRequest: () => Promise.reject(thrown) },
    retryOptions: { maxRetries: 0 },
  })
  const error = await errorOf(() => client.getEntity('p', 'r'))
  expect(error).toMatchObject({ message: 'socket hang up', code: 'ECONNRESET' })
})

it('says by its cause that a write may have been applied', async () => {
  const { local } = await openPeople()
  const transport = failingTransport(local.transport, () => 'lost request')
  const options = { transport, retryOptions: { maxRetries: 0 } }
  const text = local.connectionString()
  const client = TableClient.fromConnectionString(text, 'people', options)
  const error = await errorOf(() => client.upsertEntity(row))
  expect(error.cause).toBeInstanceOf(AmbiguousWriteError)
})
