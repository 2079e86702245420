import { type CloseOptions, getEntity, perform, SasCredential, TransportError } from '@rowkey/rest'
import { type RecordedExchange, recordingTransport } from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import {
  withoutEcho,
  withoutProof,
} from '../../../packages/rest/src/testing/recording-transport.ts'
import { jeff, read } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

function recording(turn: Turn) {
  const exchanges: RecordedExchange[] = []
  const inner = scriptedTransport(turn)
  return {
    exchanges,
    inner,
    transport: recordingTransport(inner, (exchange) => exchanges.push(exchange)),
  }
}

describe('recordingTransport', () => {
  it.each([undefined, null, [], 'exchanges.json'])('rejects the sink %j at once', (sink) => {
    expect(() => recordingTransport(scriptedTransport({}), sink as never)).toThrow(
      expect.objectContaining({
        code: 'InvalidOptionValue',
        message: 'sink of recordingTransport must be a function that receives each exchange.',
      }),
    )
  })

  it('records requests and responses', async () => {
    const { exchanges, transport } = recording({ body: '{}' })
    const response = await transport(read)
    expect(response).toEqual({ status: 200, headers: {}, body: '{}' })
    expect(exchanges).toEqual([{ request: read, response }])
  })

  it('records failures', async () => {
    const error = new TransportError({
      code: 'AttemptTimeout',
      message: 'too slow',
      mayHaveApplied: true,
    })
    const { exchanges, transport } = recording(error)
    await expect(transport(read)).rejects.toBe(error)
    expect(exchanges).toEqual([
      {
        request: read,
        failure: { code: 'AttemptTimeout', message: 'too slow', mayHaveApplied: true },
      },
    ])
  })

  it('records neither aborts nor other errors', async () => {
    const { exchanges, transport } = recording(new TypeError('boom'))
    await expect(transport(read)).rejects.toThrow('boom')
    expect(exchanges).toEqual([])
  })

  it('sends signed requests and records them without signatures', async () => {
    const shared = recording({ body: jeff.body })
    await perform(serviceOver(shared.transport), getEntity, jeff)
    expect(shared.inner.requests[0]?.headers.authorization).toBeDefined()
    expect(JSON.stringify(shared.exchanges)).not.toMatch(/authorization|SharedKey/i)

    const { exchanges, inner, transport } = recording({ body: jeff.body })
    const credential = new SasCredential(
      'sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    await perform({ ...serviceOver(transport), credential }, getEntity, jeff)
    expect(inner.requests[0]?.query).toContain('c2VjcmV0')
    expect(JSON.stringify(exchanges)).not.toMatch(/c2VjcmV0|sig=/)
  })

  it('closes the inner transport with the same options', async () => {
    const closed: unknown[] = []
    const close = async (options?: CloseOptions) => void closed.push(options)
    const inner = Object.assign(scriptedTransport({}), { close })
    await recordingTransport(inner, () => {}).close?.({ drain: true })
    await recordingTransport(scriptedTransport({}), () => {}).close?.()
    expect(closed).toEqual([{ drain: true }])
  })
})

const SIGNATURE = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

describe('withoutProof', () => {
  it('removes Authorization and cookies, and keeps the other headers', () => {
    const headers = {
      authorization: `SharedKeyLite contoso:${SIGNATURE}`,
      cookie: 'session=1',
      'proxy-authorization': 'Basic x',
      'if-match': '*',
    }
    expect(withoutProof({ ...read, headers }).headers).toEqual({ 'if-match': '*' })
  })

  it.each([
    ['', ''],
    ['$top=5&timeout=10', '$top=5&timeout=10'],
    ['sv=2019-02-02&sig=x%3D', ''],
    [
      '$filter=sp%20eq%201&tn=t&sp=raud&se=2030-01-01&NextPartitionKey=a&sv=2019-02-02&sig=x%3D',
      '$filter=sp%20eq%201&NextPartitionKey=a',
    ],
  ])('removes only the SAS from the query %j', (query, left) => {
    expect(withoutProof({ ...read, query }).query).toBe(left)
  })
})

describe('withoutEcho', () => {
  it('removes signatures that a response repeats', () => {
    const response = withoutEcho({
      status: 307,
      headers: { location: `https://a.example/t?sv=1&sig=x%3D&tn=t`, 'set-cookie': 'a=b' },
      body: `The MAC signature found in the HTTP request '${SIGNATURE}' is wrong. sig=x%3D`,
    })
    expect(response).toEqual({
      status: 307,
      headers: { location: 'https://a.example/t?sv=1&sig=<redacted>&tn=t' },
      body: "The MAC signature found in the HTTP request '<redacted>' is wrong. sig=<redacted>",
    })
  })

  it('keeps the content of entities', () => {
    const body = `{"bytes":"${SIGNATURE}","note":"sig=x"}`
    expect(withoutEcho({ status: 200, headers: {}, body }).body).toBe(body)
  })
})
