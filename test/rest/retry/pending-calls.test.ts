import { getEntity, type HttpResponse, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const closedError = { code: 'AccountClosed', failure: 'closed', mayHaveApplied: false }
const turn = (): { readonly reached: Promise<void>; readonly reach: () => void } => {
  let reach = (): void => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return { reached, reach }
}

describe('close of a service with drain', () => {
  it('completes a call that began in the same tick, and then closes the transport', async () => {
    const order: string[] = []
    const respond = async (): Promise<HttpResponse> => {
      order.push('sent')
      await Promise.resolve()
      order.push('response')
      return { status: 200, headers: {}, body: jeff.body }
    }
    const close = async (): Promise<void> => void order.push('closed')
    const service = serviceOver(Object.assign(scriptedTransport(respond), { close }))
    const call = perform(service, getEntity, jeff)
    const closing = service.close({ drain: true })
    expect((await call).raw).toBeDefined()
    await closing
    expect(order).toEqual(['sent', 'response', 'closed'])
  })

  it('completes a call that waits for its retry', async () => {
    const busy = { status: 503, body: '{"odata.error":{"code":"ServerBusy"}}' }
    const transport = scriptedTransport(busy, { body: jeff.body })
    const waiting = turn()
    const wake = turn()
    const sleep = async (): Promise<void> => {
      waiting.reach()
      await wake.reached
    }
    const service = serviceOver(transport, { sleep })
    const call = perform(service, getEntity, jeff)
    await waiting.reached
    const closing = service.close({ drain: true })
    wake.reach()
    expect((await call).raw).toBeDefined()
    await closing
    expect(transport.requests).toHaveLength(2)
  })

  it('rejects calls that begin later, and sends nothing', async () => {
    const transport = scriptedTransport({ body: jeff.body })
    const service = serviceOver(transport)
    const closing = service.close({ drain: true })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject(closedError)
    await closing
    expect(transport.requests).toEqual([])
  })

  it('begins the later calls of a series, and no other', async () => {
    const service = serviceOver(scriptedTransport({ body: jeff.body }))
    const { pendingCalls } = service
    const between = turn()
    const series = pendingCalls.runSeries({ timeout: 1_000 }, async (options) => {
      await between.reached
      const first = await perform(service, getEntity, jeff, { ...options })
      const inner = (own: object) => perform(service, getEntity, jeff, own)
      return [first, await pendingCalls.runSeries(options, inner)]
    })
    const closing = service.close({ drain: true })
    const later = (options: object) => perform(service, getEntity, jeff, options)
    await expect(later({})).rejects.toMatchObject(closedError)
    await expect(pendingCalls.runSeries({}, later)).rejects.toMatchObject(closedError)
    between.reach()
    expect(await series).toHaveLength(2)
    await closing
    await expect(later({})).rejects.toMatchObject(closedError)
  })

  it('rejects the calls of a series that has ended', async () => {
    const service = serviceOver(scriptedTransport({ body: jeff.body }))
    const options = service.pendingCalls.begin({})
    service.pendingCalls.end(options)
    service.pendingCalls.end(options)
    const closing = service.close({ drain: true })
    await expect(perform(service, getEntity, jeff, options)).rejects.toMatchObject(closedError)
    await closing
  })

  it('does not wait for a series whose options could not be read', async () => {
    const service = serviceOver(scriptedTransport())
    const options = {
      get timeout(): number {
        throw new Error('from a getter')
      },
    }
    const series = service.pendingCalls.runSeries(options, async () => {})
    await expect(series).rejects.toThrow('from a getter')
    await service.close({ drain: true })
  })

  it('closes at once when it is closed again without drain', async () => {
    const service = serviceOver(scriptedTransport())
    service.pendingCalls.begin({})
    const closing = service.close({ drain: true })
    await service.close()
    await expect(closing).resolves.toBeUndefined()
  })

  it('closes the transport when a pending call fails', async () => {
    const service = serviceOver(scriptedTransport({ status: 404 }))
    const call = expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ status: 404 })
    await service.close({ drain: true })
    await call
  })
})

describe('whenStopped of the pending calls', () => {
  it('tells each series once that the service is closed, until it is released', async () => {
    const service = serviceOver(scriptedTransport())
    const { pendingCalls } = service
    const errors: unknown[] = []
    const series = pendingCalls.begin({})
    pendingCalls.whenStopped(series, (error) => errors.push(error))
    const release = pendingCalls.whenStopped(series, () => errors.push('released'))
    release()
    expect(errors).toEqual([])
    await service.close()
    expect(errors).toMatchObject([closedError])
    pendingCalls.whenStopped(series, () => errors.push('late'))
    expect(errors.at(-1)).toBe('late')
  })

  it('tells a series that its signal aborts', () => {
    const { pendingCalls } = serviceOver(scriptedTransport())
    const controller = new AbortController()
    let calls = 0
    pendingCalls.whenStopped({ signal: controller.signal }, () => calls++)
    controller.abort()
    pendingCalls.whenStopped({ signal: controller.signal }, () => calls++)
    expect(calls).toBe(2)
  })
})
