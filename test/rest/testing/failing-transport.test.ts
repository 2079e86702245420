import { type CloseOptions, getEntity, perform } from '@rowkey/rest'
import {
  delayingTransport,
  failingTransport,
  recordingTransport,
  type TransportFailure,
} from '@rowkey/rest/testing'
import { describe, expect, it } from 'vitest'
import { jeff, read, write } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const ok = { status: 204 }

describe('failingTransport', () => {
  it.each([
    ['no connection', write, { code: 'ConnectionFailed', mayHaveApplied: false }, 0],
    ['lost request', write, { code: 'TransportFailed', mayHaveApplied: true }, 0],
    ['lost response', write, { code: 'TransportFailed', mayHaveApplied: true }, 1],
    ['lost response', read, { code: 'TransportFailed', mayHaveApplied: false }, 1],
  ] as const)('fails by %s', async (failure, request, error, sent) => {
    const inner = scriptedTransport(ok)
    await expect(failingTransport(inner, () => failure)(request)).rejects.toMatchObject(error)
    expect(inner.requests).toHaveLength(sent)
  })

  it.each([undefined, null, {}, 'lost response'])('rejects the rule %j at once', (rule) => {
    expect(() => failingTransport(scriptedTransport(ok), rule as never)).toThrow(
      /rule of failingTransport must be a function; got/,
    )
  })

  it.each([
    ['failingTransport', (inner: never) => failingTransport(inner, () => undefined)],
    ['delayingTransport', (inner: never) => delayingTransport(inner, {})],
    ['recordingTransport', (inner: never) => recordingTransport(inner, () => {})],
  ])('%s rejects at once what is not a transport', (name, make) => {
    expect(() => make(undefined as never)).toThrow(`inner of ${name} must be a function`)
  })

  it('responds in place of the service', async () => {
    const inner = scriptedTransport(ok)
    const response: TransportFailure = { status: 503, headers: {}, body: '' }
    expect(await failingTransport(inner, () => response)(read)).toBe(response)
    expect(inner.requests).toHaveLength(0)
  })

  it('asks the rule for each request, with its number, and passes the others', async () => {
    const asked: unknown[] = []
    const inner = scriptedTransport({ body: jeff.body })
    const transport = failingTransport(inner, ({ method }, number) => {
      asked.push([method, number])
      return number === 1 ? 'no connection' : undefined
    })
    await perform(serviceOver(transport), getEntity, jeff)
    expect(asked).toEqual([
      ['GET', 1],
      ['GET', 2],
    ])
    expect(inner.requests).toHaveLength(1)
  })

  it('closes the inner transport with the same options', async () => {
    const closed: unknown[] = []
    const close = async (options?: CloseOptions) => void closed.push(options)
    const inner = Object.assign(scriptedTransport({}), { close })
    await failingTransport(inner, () => undefined).close?.({ drain: true })
    expect(closed).toEqual([{ drain: true }])
  })
})
