import { getEntity, type HttpResponse, perform } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const closedError = { code: 'ConnectionFailed', failure: 'closed', mayHaveApplied: false }
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

  it('begins the later calls of a series, and no other series', async () => {
    const service = serviceOver(scriptedTransport({ body: jeff.body }))
    const between = turn()
    const series = service.pendingCalls.runSeries(async () => {
      await between.reached
      return perform(service, getEntity, jeff)
    })
    const closing = service.close({ drain: true })
    const other = service.pendingCalls.runSeries(() => perform(service, getEntity, jeff))
    await expect(other).rejects.toMatchObject(closedError)
    between.reach()
    expect((await series).raw).toBeDefined()
    await closing
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject(closedError)
  })

  it('closes the transport when a pending call fails', async () => {
    const service = serviceOver(scriptedTransport({ status: 404 }))
    const call = expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ status: 404 })
    await service.close({ drain: true })
    await call
  })
})
