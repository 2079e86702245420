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

  it('begins the later requests of a call, and no other call', async () => {
    const service = serviceOver(scriptedTransport({ body: jeff.body }))
    const between = turn()
    const pending = service.call({ timeout: 1_000 }, 'reads', async (call) => {
      await between.reached
      const first = await call.perform(getEntity, jeff)
      const second = await perform(service, getEntity, jeff, { ...call.options, timeout: 5 })
      const inner = service.call(call.options, 'inner', (part) => part.perform(getEntity, jeff))
      return [first, second, await inner]
    })
    const closing = service.close({ drain: true })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject(closedError)
    const later = service.call({}, 'later', async () => {})
    await expect(later).rejects.toMatchObject(closedError)
    expect(() => service.begin({}, 'later')).toThrow(expect.objectContaining(closedError))
    between.reach()
    expect(await pending).toHaveLength(3)
    await closing
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject(closedError)
  })

  it('rejects the requests of a call that has ended', async () => {
    const service = serviceOver(scriptedTransport({ body: jeff.body }))
    const call = service.begin({}, 'a loop')
    call.end()
    const closing = service.close({ drain: true })
    await expect(call.perform(getEntity, jeff)).rejects.toMatchObject(closedError)
    await closing
  })

  it('waits for a part of a call that outlives the others', async () => {
    const service = serviceOver(scriptedTransport({ body: jeff.body }))
    const between = turn()
    let late: Promise<unknown> | undefined
    await service.call({}, 'outer', async (call) => {
      late = service.call(call.options, 'inner', async (part) => {
        await between.reached
        return part.perform(getEntity, jeff)
      })
    })
    const closing = service.close({ drain: true })
    between.reach()
    expect(await late).toBeDefined()
    await closing
  })

  it('does not wait for a call whose options could not be read', async () => {
    const service = serviceOver(scriptedTransport())
    const options = {
      get timeout(): number {
        throw new Error('from a getter')
      },
    }
    await expect(service.call(options, 'a call', async () => {})).rejects.toThrow('from a getter')
    await service.close({ drain: true })
  })

  it('closes at once when it is closed again without drain', async () => {
    const service = serviceOver(scriptedTransport())
    service.begin({}, 'a loop')
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

describe('whenStopped of a call', () => {
  it('tells each call that the account is closed, until it is released', async () => {
    const service = serviceOver(scriptedTransport())
    const errors: unknown[] = []
    const call = service.begin({}, 'a loop')
    call.whenStopped((error) => errors.push(error))
    const release = call.whenStopped(() => errors.push('released'))
    release()
    expect(errors).toEqual([])
    await service.close()
    expect(errors).toMatchObject([closedError])
    call.whenStopped(() => errors.push('late'))
    expect(errors.at(-1)).toBe('late')
  })

  it('tells a call that its signal aborts', () => {
    const service = serviceOver(scriptedTransport())
    const controller = new AbortController()
    const call = service.begin({ signal: controller.signal }, 'a loop')
    let calls = 0
    call.whenStopped(() => calls++)
    controller.abort()
    call.whenStopped(() => calls++)
    expect(calls).toBe(2)
  })
})
