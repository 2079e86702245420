import {
  type AmbiguousWriteError,
  BudgetError,
  type CallOptions,
  getEntity,
  insertEntity,
  noRetry,
  OperationContext,
  perform,
  type TableServiceSettings,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'

const ok = { status: 200, body: jeff.body }
const busy = { status: 503 }
const exists = { status: 409, body: '{"odata.error":{"code":"EntityAlreadyExists"}}' }
const lost = new TransportError({ message: 'The response was lost.', mayHaveApplied: true })

function over(turns: readonly Turn[], settings?: TableServiceSettings) {
  const transport = scriptedTransport(...turns)
  const service = serviceOver(transport, settings)
  const read = (options?: CallOptions) => perform(service, getEntity, jeff, options)
  return { transport, service, read }
}

describe('a budget of requests', () => {
  it('ends a call that needs one more, and says what was spent', async () => {
    const { transport, read } = over([busy])
    const error = await read({ budget: { requests: 2 } }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(BudgetError)
    expect(error).toMatchObject({
      code: 'BudgetSpent',
      requests: 2,
      attempts: 2,
      mayHaveApplied: false,
      continuationToken: undefined,
      cause: { status: 503 },
      message: expect.stringMatching(
        /^getEntity of .* did not succeed in 2 attempts: the call has made 2 requests, all that its budget allows\. Raise budget\.requests/,
      ),
    })
    expect(transport.requests).toHaveLength(2)
  })

  it('does not wait for a retry that it does not allow', async () => {
    const waits: number[] = []
    const sleep = async (delay: number) => void waits.push(delay)
    const { read } = over([busy], { sleep })
    const spent = expect(read({ budget: { requests: 1 } })).rejects
    await spent.toThrow(BudgetError)
    await spent.toThrow('in 1 attempt: the call has made 1 request, all')
    expect(waits).toEqual([])
  })

  it('changes nothing for a call that stays within it', async () => {
    const { read } = over([busy, ok])
    await expect(read({ budget: { requests: 2 } })).resolves.toBeDefined()
    const { read: failing } = over([busy])
    await expect(failing({ budget: { requests: 1 }, retry: noRetry })).rejects.toMatchObject({
      code: expect.not.stringMatching('BudgetSpent'),
      status: 503,
    })
  })

  it('is shared by all requests of a call, and begins anew for each call', async () => {
    const { service, read, transport } = over([ok])
    const budget = { requests: 3 }
    const work = service.call({ budget }, 'reads', async (call) => {
      await call.perform(getEntity, jeff)
      await perform(service, getEntity, jeff, call.options)
      await service.call(call.options, 'inner', (part) => part.perform(getEntity, jeff))
      await read({ ...call.options, timeout: 10 })
    })
    await expect(work).rejects.toMatchObject({ requests: 3, attempts: 0 })
    await expect(work).rejects.toThrow('was not sent')
    expect(transport.requests).toHaveLength(3)
    for (let count = 0; count < 5; count++) await read({ budget })
  })

  it('holds inside a larger one', async () => {
    const { service, transport } = over([ok])
    const work = service.call({ budget: { requests: 10 } }, 'reads', async (call) => {
      const inner = { ...call.options, budget: { requests: 1 } }
      const part = service.call(inner, 'inner', async (own) => {
        for (;;) await own.perform(getEntity, jeff)
      })
      await expect(part).rejects.toMatchObject({ requests: 1 })
      for (;;) await call.perform(getEntity, jeff)
    })
    await expect(work).rejects.toMatchObject({ requests: 10 })
    expect(transport.requests).toHaveLength(10)
  })

  it('counts the requests that are pending at once', async () => {
    const { service, transport } = over([ok])
    const work = service.call({ budget: { requests: 4 } }, 'reads', async (call) =>
      Promise.allSettled(Array.from({ length: 9 }, () => call.perform(getEntity, jeff))),
    )
    const ends = await work
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
    expect(transport.requests).toHaveLength(4)
  })

  it('of an account is the default of each whole call', async () => {
    const { read } = over([busy], { budget: { requests: 2 } })
    await expect(read()).rejects.toMatchObject({ requests: 2 })
    await expect(read()).rejects.toMatchObject({ requests: 2 })
    await expect(read({ budget: { requests: 3 } })).rejects.toMatchObject({ requests: 3 })
  })

  it('of a context counts all calls that the context records', async () => {
    const context = new OperationContext({ budget: { requests: 3 } })
    const { read, transport } = over([ok], { context })
    for (let count = 0; count < 3; count++) await read()
    await expect(read()).rejects.toMatchObject({ code: 'BudgetSpent', requests: 3 })
    const own = new OperationContext({ budget: { requests: 1 } })
    await expect(over([busy]).read({ context: own })).rejects.toMatchObject({ requests: 1 })
    expect(transport.requests).toHaveLength(3)
  })

  it('says that a write in doubt may have been applied', async () => {
    const { service } = over([lost, exists, ok])
    const insert = (requests: number) =>
      perform(service, insertEntity, jeff, { budget: { requests } })
    await expect(insert(1)).rejects.toMatchObject({
      code: 'BudgetSpent',
      mayHaveApplied: true,
      message: expect.stringContaining('it may have been applied'),
    })
  })

  it('includes the reads that settle a write', async () => {
    const { service, transport } = over([lost, exists, ok])
    const insert = perform(service, insertEntity, jeff, { budget: { requests: 2 } })
    await expect(insert).rejects.toMatchObject({ requests: 2, mayHaveApplied: true })
    expect(transport.requests).toHaveLength(2)
  })

  it('does not bound resolve(), which the caller calls later', async () => {
    const { service, transport } = over([lost, ok])
    const options = { budget: { requests: 1 }, retry: noRetry }
    const error = await perform(service, insertEntity, jeff, options).catch((thrown) => thrown)
    await (error as AmbiguousWriteError).resolve()
    expect(transport.requests).toHaveLength(2)
  })

  it('does not count an attempt that was never sent', async () => {
    let isSignedIn = false
    const credential = {
      authorize: async (request: never) => {
        if (!isSignedIn) throw new Error('signed out')
        return request
      },
    }
    const { service, transport } = over([ok], { credential: credential as never } as never)
    await service.call({ budget: { requests: 1 } }, 'reads', async (call) => {
      await expect(call.perform(getEntity, jeff)).rejects.toThrow('signed out')
      isSignedIn = true
      await call.perform(getEntity, jeff)
    })
    expect(transport.requests).toHaveLength(1)
  })

  it.each([0, 20, {}, { requests: 0 }, { requests: 1.5 }, { requests: 1, dollars: 2 }, null])(
    'rejects %j',
    async (budget) => {
      const invalid = { code: 'InvalidOptionValue' }
      const options = { budget } as never
      await expect(over([ok]).read(options)).rejects.toMatchObject(invalid)
      expect(() => over([ok], options)).toThrow(
        'budget of an account must be an object with requests',
      )
      expect(() => new OperationContext(options)).toThrow('budget of OperationContext')
    },
  )
})
