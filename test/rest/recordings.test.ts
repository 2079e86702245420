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

/** Why an answer cannot be decoded, or is to a question that Rowkey does not ask. */
const UNREADABLE: Readonly<Record<string, string>> = {
  'POST /$batch -> 202': 'answers an empty change set, which is refused before it is sent',
  'insert:str32768': 'was cut by the recorder',
  'insert:bin65536': 'was cut by the recorder',
  'insert:entity-1mb': 'was cut by the recorder',
  'sas:range-query': 'was cut by the recorder',
  'cosmos query page': 'was cut by the recorder',
  'cosmos query next page': 'was cut by the recorder',
  'batch:100': 'was cut by the recorder',
  'batch:101': 'has the name of a separator where the status belongs; 101 changes are never sent',
  'batch:two-gets': 'answers two reads in one batch, which is refused before it is sent',
  'batch:get-plus-insert': 'answers a read beside a write, which is refused before it is sent',
  'head-entity': 'answers HEAD, which no operation uses',
  'options-ok': 'answers the preflight of a browser',
  'options-bad': 'answers the preflight of a browser',
  'options-malformed': 'answers the preflight of a browser',
  'bad-verb': 'answers PUT /Tables, which no operation uses',
  root: 'answers a path that no operation uses',
  metadata: 'answers a path that no operation uses',
}

const recorded = (name: string): readonly RecordedExchange[] =>
  JSON.parse(readFileSync(new URL(`../vectors/${name}.json`, import.meta.url), 'utf8')).exchanges

const azure = endpointOf('https://myaccount.table.core.windows.net')
const azurite = endpointOf('http://127.0.0.1:10002/devstoreaccount1')

/** Azurite's paths begin with an account, which in some of them is another. */
const basePathIn = (path: string, { basePath }: Endpoint) =>
  basePath === '' ? '' : (/^\/[^/]+/.exec(path)?.[0] ?? '')

const NO_METADATA = 'odata=nometadata'

/** Some clients asked for no metadata, which Rowkey refuses to be given; the bodies are read all the same. */
const relabelled = (text: string) => text.replace(NO_METADATA, 'odata=minimalmetadata')

function answerOf({ status, headers, body }: RecordedExchange['response']): HttpResponse {
  const single = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`])
  return { status, headers: Object.fromEntries(single), body }
}

/** What a call makes of a recorded answer. */
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
  const recordedAnswer = answerOf(exchange.response)
  const type = label(recordedAnswer.headers['content-type'] ?? '')
  const response = {
    ...recordedAnswer,
    headers: { ...recordedAnswer.headers, 'content-type': type },
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
    // After a 500 the write was looked for, and the same answer came again.
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

/** Holds what came out against the answer, read here by the simplest means. */
function check({ operation, response, output, error }: Replayed): void {
  const { status, headers, body } = response
  if (status >= 300) {
    expect(error).toMatchObject({ status, code: codeIn(response) })
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
  ['Azure and Cosmos DB were', 'azure-service', azure],
  ['Azurite was', 'azurite', azurite],
])('what %s recorded to answer', (_, file, endpoint) => {
  const exchanges = recorded(file).map((exchange, index) => ({ exchange, index }))
  const readable = exchanges.filter(({ exchange }) => !(exchange.name in UNREADABLE))

  it.each(readable)('is read as it is meant: $index $exchange.name', async ({ exchange }) => {
    check(await replay(exchange, endpoint))
  })

  it('is refused where it is without metadata that was asked for', async () => {
    const untyped = readable.filter(
      ({ exchange: { request, response } }) =>
        request.method === 'GET' &&
        response.status === 200 &&
        JSON.stringify(response.headers).includes(NO_METADATA),
    )
    expect(untyped.length).toBeGreaterThan(3)
    for (const { exchange } of untyped) {
      const { error } = await replay(exchange, endpoint, (type) => type)
      expect(error).toMatchObject({ message: expect.stringContaining('without metadata') })
    }
  })

  it('is all there', () => {
    expect(readable.length).toBeGreaterThan(100)
  })
})

describe('what cannot be read', () => {
  const all = [...recorded('azure-service'), ...recorded('azurite')]

  it.each(Object.entries(UNREADABLE))('%s %s', async (name) => {
    const exchange = all.find((one) => one.name === name)!
    const endpoint = exchange.request.path.startsWith('/devstoreaccount1') ? azurite : azure
    const outcome = await replay(exchange, endpoint).catch((error: unknown) => ({ error }))
    expect(outcome.error).toBeDefined()
  })
})
