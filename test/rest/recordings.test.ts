import { readFileSync } from 'node:fs'
import {
  AmbiguousWriteError,
  type Endpoint,
  endpointOf,
  type HttpResponse,
  noRetry,
  perform,
  SharedKeyCredential,
  tableService,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { type RecordedExchange, recordedCall } from './recorded-call.ts'

/** Why a response cannot be decoded, or belongs to a request that Rowkey does not send. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'POST /$batch -> 202': 'belongs to an empty change set, which is rejected before sending',
  'insert:str32768': 'was cut by the recorder',
  'insert:bin65536': 'was cut by the recorder',
  'insert:entity-1mb': 'was cut by the recorder',
  'sas:range-query': 'was cut by the recorder',
  'cosmos query page': 'was cut by the recorder',
  'cosmos query next page': 'was cut by the recorder',
  'batch:100': 'was cut by the recorder',
  'batch:101': 'has the name of a separator where the status belongs; 101 changes are never sent',
  'batch:two-gets': 'belongs to two reads in one batch, which are rejected before sending',
  'batch:get-plus-insert': 'belongs to a read beside a write, which is rejected before sending',
  'head-entity': 'belongs to HEAD, which no operation uses',
  'options-ok': 'belongs to the preflight of a browser',
  'options-bad': 'belongs to the preflight of a browser',
  'options-malformed': 'belongs to the preflight of a browser',
  'bad-verb': 'belongs to PUT /Tables, which no operation uses',
  'PUT /?restype=service&comp=properties -> 501 NotImplemented':
    'belongs to service properties, which are rejected before sending on Cosmos DB',
  'GET {account}-secondary/?restype=service&comp=stats -> 501 NotImplemented':
    'belongs to statistics, which are rejected before sending on Cosmos DB',
  'POST /t/Tables -> 400 InvalidInput': 'belongs to a path that no operation uses',
  'DELETE /t/Tables -> 400 InvalidInput': 'belongs to a path that no operation uses',
  'GET /t/Tables -> 400 InvalidInput': 'belongs to a path that no operation uses',
  'put-badetag': 'belongs to an ETag that is rejected before sending',
  'delete-badetag': 'belongs to an ETag that is rejected before sending',
  root: 'belongs to a path that no operation uses',
  metadata: 'belongs to a path that no operation uses',
}

const recorded = (name: string): readonly RecordedExchange[] =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')).exchanges

const azure = endpointOf('https://myaccount.table.core.windows.net')
const cosmos = endpointOf('https://myaccount.table.cosmos.azure.com')
const azurite = endpointOf('http://127.0.0.1:10002/devstoreaccount1')

/** Azurite's paths begin with an account, which in some of them is another. */
const basePathIn = (path: string, { basePath }: Endpoint) =>
  basePath === '' ? '' : (/^\/[^/]+/.exec(path)?.[0] ?? '')

function endpointIn({ request, service }: RecordedExchange): Endpoint {
  if (service === 'cosmos-table') return cosmos
  return request.path.startsWith('/devstoreaccount1') ? azurite : azure
}

const NO_METADATA = 'odata=nometadata'

/** Some clients requested no metadata, which Rowkey rejects; the bodies are still read. */
const relabelled = (text: string) => text.replace(NO_METADATA, 'odata=minimalmetadata')

function responseOf({ status, headers, body }: RecordedExchange['response']): HttpResponse {
  const single = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`])
  return { status, headers: Object.fromEntries(single), body }
}

/** The outcome of a call with a recorded response. */
interface Replayed {
  readonly operation: string
  readonly response: HttpResponse
  readonly output?: unknown
  readonly error?: unknown
}

async function replay(
  exchange: RecordedExchange,
  endpoint: Endpoint,
  label = relabelled,
): Promise<Replayed> {
  const call = recordedCall(exchange, basePathIn(exchange.request.path, endpoint))
  if (call === undefined) throw new TypeError('no operation asks so')
  const recordedResponse = responseOf(exchange.response)
  const type = label(recordedResponse.headers['content-type'] ?? '')
  const response = {
    ...recordedResponse,
    headers: { ...recordedResponse.headers, 'content-type': type },
  }
  const service = tableService({
    endpoint,
    credential: new SharedKeyCredential({ account: endpoint.account, key: 'c2VjcmV0' }),
    transport: async () => response,
    retry: noRetry,
  })
  const operation = call.operation.name
  try {
    return { operation, response, output: await perform(service, call.operation, call.input) }
  } catch (error) {
    // After a 500 the call read what is stored, and received the same response again.
    const said = error instanceof AmbiguousWriteError ? error.cause : error
    return { operation, response, error: said }
  }
}

const CODE = /<(?:m:)?[cC]ode>(\w+)<|"code": ?"(\w+)"/

/** The service's code, found without our own decoder. */
function codeIn({ status, headers, body }: HttpResponse): string {
  const found = CODE.exec(body)
  return found?.[1] ?? found?.[2] ?? headers['x-ms-error-code'] ?? `Http${status}`
}

const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)]

/** Compares the outcome with the response, read here by the simplest means. */
function check({ operation, response, output, error }: Replayed): void {
  const { status, headers, body } = response
  if (status >= 300) {
    expect(error).toMatchObject({ status, code: codeIn(response) })
    expect(Object(error).message).not.toMatch(/Request-?Id:|ActivityId|documentdb|replicas/i)
    return
  }
  if (operation === 'entityGroupTransaction') {
    const statuses = matches(body, /^HTTP\/1\.1 (\d+)/gm).map(([, text]) => Number(text))
    const failed = statuses.find((part) => part >= 300)
    if (failed)
      expect(error).toMatchObject({ name: 'BatchError', status: failed, code: codeIn(response) })
    else expect(output).toHaveLength(statuses.length)
    return
  }
  expect(error).toBeUndefined()
  switch (operation) {
    case 'getEntity':
      expect(output).toMatchObject({ raw: JSON.parse(body), etag: headers.etag })
      break
    case 'queryEntities':
      expect(output).toMatchObject({ entities: JSON.parse(body).value })
      expect('continuation' in Object(output) && Object(output).continuation !== undefined).toBe(
        Object.keys(headers).some((name) => name.startsWith('x-ms-continuation-')),
      )
      break
    case 'queryTables':
      expect(Object(output).tables).toHaveLength(JSON.parse(body).value.length)
      break
    case 'getTableAcl':
      expect(output).toHaveLength(matches(body, /<SignedIdentifier>/g).length)
      break
    case 'getTable':
    case 'getServiceProperties':
    case 'getServiceStats':
      expect(output).toBeDefined()
      break
    case 'createTable':
    case 'deleteTable':
      expect(output).toBeUndefined()
      break
    default:
      expect(Object(output).etag).toBe(headers.etag)
  }
}

describe.each([
  ['of Azure, some of Cosmos DB', 'azure-service', azure, 121, 4],
  ['of Azurite', 'azurite', azurite, 341, 4],
  ['of Cosmos DB', 'cosmos', cosmos, 85, 1],
])('R-177: the recorded responses %s', (_, file, endpoint, count, untypedCount) => {
  const exchanges = recorded(file).map((exchange, index) => ({ exchange, index }))
  const readable = exchanges.filter(({ exchange }) => !(exchange.name in UNREADABLE))

  it.each(readable)('read as intended: $index $exchange.name', async ({ exchange }) => {
    check(await replay(exchange, endpoint))
  })

  it('are rejected without the requested metadata', async () => {
    const untyped = readable.filter(
      ({ exchange: { request, response } }) =>
        request.method === 'GET' &&
        response.status === 200 &&
        JSON.stringify(response.headers).includes(NO_METADATA),
    )
    expect(untyped.length).toBeGreaterThanOrEqual(untypedCount)
    for (const { exchange } of untyped) {
      const { error } = await replay(exchange, endpoint, (type) => type)
      expect(error).toMatchObject({ message: expect.stringContaining('without metadata') })
    }
  })

  it('are complete', () => {
    expect(readable).toHaveLength(count)
  })
})

describe('what cannot be read', () => {
  const all = [...recorded('azure-service'), ...recorded('azurite'), ...recorded('cosmos')]

  it.each(Object.entries(UNREADABLE))('%s %s', async (name) => {
    const exchange = all.find((one) => one.name === name)!
    const endpoint = endpointIn(exchange)
    const outcome = await replay(exchange, endpoint).catch((error: unknown) => ({ error }))
    expect(outcome.error).toBeDefined()
  })
})
