import {
  AttemptTimeoutError,
  getEntity,
  perform,
  type RecordedExchange,
  recordingTransport,
  SasCredential,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
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
  it('keeps what was sent and what came back', async () => {
    const { exchanges, transport } = recording({ body: '{}' })
    const response = await transport(read)
    expect(response).toEqual({ status: 200, headers: {}, body: '{}' })
    expect(exchanges).toEqual([{ request: read, response }])
  })

  it('keeps why no answer came', async () => {
    const error = new AttemptTimeoutError({ message: 'too slow', mayHaveApplied: true })
    const { exchanges, transport } = recording(error)
    await expect(transport(read)).rejects.toBe(error)
    expect(exchanges).toEqual([
      {
        request: read,
        failure: { code: 'AttemptTimeout', message: 'too slow', mayHaveApplied: true },
      },
    ])
  })

  it('keeps nothing of what is neither answer nor failure of the transport', async () => {
    const { exchanges, transport } = recording(new TypeError('boom'))
    await expect(transport(read)).rejects.toThrow('boom')
    expect(exchanges).toEqual([])
  })

  it('sends signed and keeps no proof of who asked', async () => {
    const shared = recording({ body: jeff.body })
    await perform(serviceOver(shared.transport), getEntity, jeff)
    expect(shared.inner.requests[0]?.headers.authorization).toBeDefined()
    expect(JSON.stringify(shared.exchanges)).not.toMatch(/authorization|SharedKey/i)

    const { exchanges, inner, transport } = recording({ body: jeff.body })
    const credential = new SasCredential('sv=2019-02-02&sig=c2VjcmV0')
    await perform({ ...serviceOver(transport), credential }, getEntity, jeff)
    expect(inner.requests[0]?.query).toContain('c2VjcmV0')
    expect(JSON.stringify(exchanges)).not.toMatch(/c2VjcmV0|sig=/)
  })

  it('closes what carries the requests', async () => {
    let closed = 0
    const inner = Object.assign(scriptedTransport({}), { close: async () => void closed++ })
    await recordingTransport(inner, () => {}).close?.()
    await recordingTransport(scriptedTransport({}), () => {}).close?.()
    expect(closed).toBe(1)
  })
})
