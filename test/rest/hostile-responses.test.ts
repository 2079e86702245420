import {
  AmbiguousWriteError,
  createTable,
  deleteEntity,
  endpointOf,
  entityGroupTransaction,
  fetchTransport,
  findEntity,
  getEntity,
  insertEntity,
  mergeEntity,
  noRetry,
  perform,
  queryEntities,
  queryTables,
  SharedKeyCredential,
  type TableService,
  type Transport,
  tableService,
  undiciTransport,
} from '@rowkey/rest'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeTransport } from '../../packages/rest/src/http/node-transport.ts'
import { casesToPlay } from '../support/cases-to-play.ts'
import {
  type HostileResponse,
  hostileResponses,
  type Question,
} from '../vectors/hostile-responses.ts'
import { loopbackServer } from './http/loopback-server.ts'
import { jeff } from './people.ts'

const cleanUps: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

const people = ['Ann', 'Ben', 'Cid'].map((rowKey) => ({
  operation: insertEntity,
  input: { ...jeff, key: { partitionKey: 'Smith', rowKey }, echo: true },
}))

const ask: Readonly<Record<Question, (service: TableService) => Promise<unknown>>> = {
  batch: (service) =>
    perform(service, entityGroupTransaction, { table: 'people', changes: people }),
  create: (service) => perform(service, createTable, jeff),
  delete: (service) => perform(service, deleteEntity, { ...jeff, etag: '*' }),
  find: (service) => perform(service, findEntity, jeff),
  get: (service) => perform(service, getEntity, jeff),
  insert: (service) => perform(service, insertEntity, { ...jeff, echo: true }),
  list: (service) => perform(service, queryTables, {}),
  merge: (service) => perform(service, mergeEntity, { ...jeff, etag: '*' }),
  query: (service) => perform(service, queryEntities, { table: 'people' }),
}

type ResponseParts = Pick<HostileResponse, 'status' | 'headers' | 'body'>

/** A service that responds the same to every request. */
async function serviceOf(
  transportOf: () => Transport,
  parts: ResponseParts,
): Promise<TableService> {
  const { origin, close } = await loopbackServer((request, response) => {
    const { status, headers = {}, body = '' } = parts
    const isCut = headers['content-length'] !== undefined
    response.on('error', () => {})
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    response.writeHead(status)
    response.write(body)
    request.resume().on('end', () => (isCut ? response.socket?.end() : response.end()))
  })
  const service = tableService({
    endpoint: endpointOf(origin, { account: 'contoso' }),
    credential: new SharedKeyCredential({ account: 'contoso', key: 'c2VjcmV0' }),
    transport: transportOf(),
    retry: noRetry,
    timeout: 20_000,
  })
  cleanUps.push(close, service.close)
  return service
}

describe.each<[string, () => Transport]>([
  ['node:http', nodeTransport],
  ['undici', undiciTransport],
  ['fetch', fetchTransport],
])('through %s', (_, transportOf) => {
  const played = transportOf === nodeTransport ? hostileResponses : casesToPlay(hostileResponses)

  it.each(played)('$asked rejects $title', async (hostile) => {
    const service = await serviceOf(transportOf, hostile)
    const error = await ask[hostile.asked](service).then(
      (result) => expect.fail(`gave ${JSON.stringify(result)}`),
      (reason: Error) => reason,
    )
    expect(error).toMatchObject({ mayHaveApplied: hostile.mayHaveApplied })
    expect(error instanceof AmbiguousWriteError ? error.cause : error).toMatchObject(hostile.error)
    expect(error.message.length).toBeLessThan(6000)
  })

  it('reads a value that looks like a separator as a value', async () => {
    const note = '--c--\\r\\n--b--\\r\\n--c HTTP/1.1 500'
    const parts = people.map(
      ({ input }) =>
        `--c\r\nContent-Type: application/http\r\n\r\nHTTP/1.1 201 Created\r\nETag: W/"1"\r\n\r\n{"PartitionKey":"Smith","RowKey":"${input.key.rowKey}","note":"${note}"}\r\n`,
    )
    const service = await serviceOf(transportOf, {
      status: 202,
      headers: { 'content-type': 'multipart/mixed; boundary=b' },
      body: `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n${parts.join('')}--c--\r\n--b--\r\n`,
    })
    expect(await ask.batch(service)).toEqual(
      people.map(({ input }) => ({
        etag: 'W/"1"',
        status: 201,
        raw: {
          PartitionKey: 'Smith',
          RowKey: input.key.rowKey,
          note: '--c--\r\n--b--\r\n--c HTTP/1.1 500',
        },
      })),
    )
  })

  it('reads a page of 10 MiB that is well-formed', async () => {
    const row = `{"PartitionKey":"Smith","RowKey":"Jeff","note":"${'x'.repeat(60_000)}"}`
    const rows = Array.from({ length: 170 }, () => row)
    const body = `{"value":[${rows.join(',')}]}`
    const service = await serviceOf(transportOf, { status: 200, body })
    expect(await ask.query(service)).toMatchObject({ entities: { length: 170 } })
  })
})
