import { getEventListeners } from 'node:events'
import { inspect } from 'node:util'
import { type Transport, TransportError } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { isRead } from '../../../packages/rest/src/http/transport.ts'
import {
  untilAborted,
  withTransportErrors,
} from '../../../packages/rest/src/http/with-transport-errors.ts'
import { read, write } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'

describe('isRead', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'] as const)('is true for %s', (method) => {
    expect(isRead({ ...read, method })).toBe(true)
  })

  it('is true for a POST that contains a read', () => {
    expect(isRead({ ...read, method: 'POST', readsOnly: true })).toBe(true)
  })

  it.each(['DELETE', 'MERGE', 'PATCH', 'POST', 'PUT'] as const)('is false for %s', (method) => {
    expect(isRead({ ...read, method })).toBe(false)
  })
})

const boom = Object.assign(new TypeError('boom'), {
  code: 'EBOOM',
  request: { ...write, query: 'sig=c2VjcmV0' },
})

describe('withTransportErrors', () => {
  it('R-107: wraps the error of a transport, with it as the cause', async () => {
    const transport = withTransportErrors(scriptedTransport(boom))
    await expect(transport({ ...write, query: 'sig=c2VjcmV0' })).rejects.toMatchObject({
      code: 'TransportFailed',
      mayHaveApplied: true,
      cause: { name: 'TypeError', message: 'boom', code: 'EBOOM' },
      message: expect.not.stringContaining('c2VjcmV0'),
    })
    await expect(transport(read)).rejects.toMatchObject({ mayHaveApplied: false })
  })

  it('hides secrets in the error of a transport', async () => {
    const key = `AccountKey=${'c2VjcmV0'.repeat(11)}=`
    const below = new Error(key)
    const thrown = Object.assign(new Error(`POST ?sig=c2VjcmV0 ${key}`, { cause: below }), {
      request: { headers: { authorization: 'SharedKey contoso:c2VjcmV0' } },
    })
    for (const rejection of [thrown, `sig=c2VjcmV0`, { headers: { authorization: key } }]) {
      const transport = withTransportErrors(() => Promise.reject(rejection))
      const error = await transport(write).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'TransportFailed' })
      const cause = error instanceof Error && error.cause
      const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify([error, cause])
      expect(shown).not.toContain('c2VjcmV0')
    }
  })

  it.each([
    ['undefined', undefined, /undefined/],
    ['null', null, /null/],
    ['a response without headers', { status: 204, body: '' }, /undefined/],
    ['a response without a body', { status: 204, headers: {} }, /no { status, headers, body }/],
    [
      'the Headers of fetch, which would hide the ETag',
      { status: 204, headers: new Headers(), body: '' },
      /no { status, headers, body }/,
    ],
    ['the response of fetch', new Response('{}'), /no { status, headers, body }/],
  ])('rejects %s', async (_, given, message) => {
    const transport = withTransportErrors(async () => given as never)
    await expect(transport(write)).rejects.toMatchObject({
      code: 'TransportFailed',
      mayHaveApplied: true,
    })
    const error: unknown = await transport(write).catch((reason: unknown) => reason)
    expect(inspect(error)).toMatch(message)
  })

  it('keeps the errors of the contract', async () => {
    const refused = new TransportError({
      code: 'ConnectionFailed',
      message: 'no',
      failure: 'refused',
      mayHaveApplied: false,
    })
    await expect(withTransportErrors(scriptedTransport(refused))(read)).rejects.toBe(refused)
  })

  describe('after the signal has aborted', () => {
    const aborted = (mayHaveApplied: boolean) => ({
      name: 'AbortError',
      cause: 'enough',
      mayHaveApplied,
    })

    it('does not call the transport', async () => {
      const below = scriptedTransport({ status: 204 })
      const sending = withTransportErrors(below)(write, { signal: AbortSignal.abort('enough') })
      await expect(sending).rejects.toMatchObject(aborted(false))
      expect(below.requests).toHaveLength(0)
    })

    it.each([
      ['write', write, true],
      ['read', read, false],
    ])(
      'does not wait for a transport that ignores the signal, on a %s',
      async (_, request, may) => {
        const controller = new AbortController()
        const sending = withTransportErrors(() => new Promise(() => {}))(request, controller)
        controller.abort('enough')
        await expect(sending).rejects.toMatchObject(aborted(may))
      },
    )

    it('turns the error of the transport into an AbortError', async () => {
      const controller = new AbortController()
      const transport = withTransportErrors(async () => {
        controller.abort('enough')
        throw new DOMException('by the platform', 'AbortError')
      })
      await expect(transport(write, controller)).rejects.toMatchObject(aborted(true))
    })
  })

  it('returns responses, and closes the transport', async () => {
    let closed = 0
    const below: Transport = Object.assign(scriptedTransport({ status: 204 }), {
      close: async () => void closed++,
    })
    const transport = withTransportErrors(below)
    expect(await transport(read)).toMatchObject({ status: 204 })
    await transport.close?.()
    expect(closed).toBe(1)
  })
})

const aborted = () => new RangeError('aborted')
const never = new Promise<never>(() => {})

it('returns the result of the work, and releases the signal', async () => {
  const { signal } = new AbortController()
  expect(await untilAborted(Promise.resolve(5), signal, aborted)).toBe(5)
  const failing = Promise.reject(new Error('no'))
  await expect(untilAborted(failing, signal, aborted)).rejects.toThrow('no')
  await Promise.resolve()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('ends with its error when the signal aborts, or had aborted before', async () => {
  const controller = new AbortController()
  const waiting = untilAborted(never, controller.signal, aborted)
  controller.abort()
  await expect(waiting).rejects.toThrow('aborted')
  await expect(untilAborted(never, controller.signal, aborted)).rejects.toThrow('aborted')
})

it('leaves no unhandled rejection when the work fails later', async () => {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => unhandled.push(reason)
  process.on('unhandledRejection', note)
  let fail = (_: Error) => {}
  const work = new Promise<never>((_, reject) => {
    fail = reject
  })
  await expect(untilAborted(work, AbortSignal.abort(), aborted)).rejects.toThrow('aborted')
  fail(new Error('late'))
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', note)
  expect(unhandled).toEqual([])
})
