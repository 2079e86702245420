import { localTableService } from '@rowkey/local'
import {
  createTable,
  DEVELOPMENT_ACCOUNT,
  DEVELOPMENT_KEY,
  endpointOf,
  findEntity,
  getEntity,
  insertEntity,
  perform,
  SharedKeyCredential,
  type Transport,
  TransportError,
  tableService,
} from '@rowkey/rest'
import { type RecordedExchange, recordingTransport, replayingTransport } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { jeff, read, write } from '../people.ts'

const endpoint = endpointOf(`http://127.0.0.1:10002/${DEVELOPMENT_ACCOUNT}`)
const credential = new SharedKeyCredential({ account: DEVELOPMENT_ACCOUNT, key: DEVELOPMENT_KEY })

async function converse(transport: Transport): Promise<unknown[]> {
  const service = tableService({ endpoint, credential, transport })
  const results: unknown[] = [await perform(service, findEntity, jeff).catch(String)]
  await perform(service, createTable, jeff)
  results.push(await perform(service, findEntity, jeff))
  results.push(await perform(service, insertEntity, { ...jeff, echo: true }))
  results.push(await perform(service, getEntity, jeff))
  return results
}

describe('replayingTransport', () => {
  it('replays recorded exchanges without the service', async () => {
    const exchanges: RecordedExchange[] = []
    const local = localTableService()
    const first = await converse(
      recordingTransport(local.transport, (exchange) => exchanges.push(exchange)),
    )
    await local.close()
    const kept = JSON.parse(JSON.stringify(exchanges)) as RecordedExchange[]
    expect(await converse(replayingTransport(kept))).toEqual(first)
  })

  it('replays equal requests in the order of recording', async () => {
    const transport = replayingTransport(
      ['1', '2'].map((body) => ({ request: read, response: { status: 200, headers: {}, body } })),
    )
    expect((await transport(read)).body).toBe('1')
    expect((await transport(read)).body).toBe('2')
    await expect(transport(read)).rejects.toMatchObject({ code: 'UnrecordedRequest' })
  })

  it.each([
    ['method', 'DELETE'],
    ['path', '/orders'],
    ['query', '$top=1'],
    ['body', '{}'],
    ['headers', { 'if-match': '*' }],
  ])('distinguishes requests by %s', async (name, value) => {
    const response = { status: 204, headers: {}, body: '' }
    const transport = replayingTransport([{ request: write, response }])
    await expect(transport({ ...write, [name]: value })).rejects.toMatchObject({
      code: 'UnrecordedRequest',
      message: expect.stringContaining('was not recorded'),
    })
  })

  it('recognizes a request with another credential and host', async () => {
    const response = { status: 204, headers: {}, body: '' }
    const transport = replayingTransport([{ request: write, response }])
    const origin = 'http://127.0.0.1:10002'
    const headers = { authorization: 'Bearer x', 'x-ms-date': 'now' }
    expect(await transport({ ...write, origin, headers, query: 'sv=1&sig=x' })).toBe(response)
  })

  it.each([
    ['TransportFailed', 'TransportError'],
    ['ConnectionFailed', 'TransportError'],
    ['AttemptTimeout', 'TransportError'],
    ['UnexpectedResponse', 'DecodeError'],
  ])('replays the failure %s', async (code, name) => {
    const mayHaveApplied = code !== 'ConnectionFailed'
    const failure = { code, message: 'as it was', mayHaveApplied }
    const response = replayingTransport([{ request: write, failure }])(write)
    await expect(response).rejects.toMatchObject({ name, ...failure })
  })

  it.each(['closed', 'dns', 'refused', 'timeout', 'tls', 'other'] as const)(
    'replays the failure of a connection by %s',
    async (failure) => {
      const exchanges: RecordedExchange[] = []
      const failing = async () => {
        throw new TransportError({
          code: 'ConnectionFailed',
          message: 'no',
          failure,
          mayHaveApplied: false,
        })
      }
      const recorder = recordingTransport(failing, (exchange) => exchanges.push(exchange))
      await recorder(write).catch(() => {})
      const kept = JSON.parse(JSON.stringify(exchanges)) as RecordedExchange[]
      const again = await replayingTransport(kept)(write).catch((error: unknown) => error)
      expect(again).toMatchObject({ code: 'ConnectionFailed' })
      expect(again).toMatchObject({ failure, message: 'no', mayHaveApplied: false })
    },
  )

  it('does not respond when the signal has aborted', async () => {
    const signal = AbortSignal.abort('enough')
    await expect(replayingTransport([])(read, { signal })).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
    })
  })
})
