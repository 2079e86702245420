import {
  AbortError,
  type AttemptLimits,
  type AttemptResult,
  type Credential,
  findEntity,
  getEntity,
  insertEntity,
  noRetry,
  type Operation,
  OperationContext,
  perform,
  queryEntities,
  SasCredential,
  type TableServiceSettings,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { jeff, read, write } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'
import { attemptsOf, failed, lost } from './attempts-of.ts'

const SECOND = 1000
const reading = () => attemptsOf(getEntity, jeff)
const writing = () => attemptsOf(insertEntity, jeff)

describe('Attempts', () => {
  it('counts attempts and records when each begins', () => {
    const attempts = reading()
    expect(attempts.count).toBe(0)
    expect(attempts.begin()).toMatchObject({
      number: 1,
      request: { ...read, headers: { ...read.headers, 'x-ms-client-request-id': 'id-1' } },
      location: 'primary',
      startedAt: START,
      date: START,
      limits: { timeout: 30_000 },
      strict: false,
    })
    expect(attempts.begin().number).toBe(2)
  })

  it('is in doubt after the first attempt that may have been applied', () => {
    const attempts = writing()
    attempts.begin()
    attempts.record(failed(503))
    expect(attempts.inDoubt).toBe(false)
    attempts.record(lost)
    attempts.record(failed(503))
    expect(attempts.inDoubt).toBe(true)
    expect(attempts.begin().strict).toBe(true)
    expect(attempts.abortError('x')).toMatchObject({ cause: 'x', mayHaveApplied: true })
    expect(attempts.deadlineError()).toMatchObject({ mayHaveApplied: true, attempts: 2 })
  })

  it('is never in doubt about a read, even in a batch', () => {
    for (const request of [read, { ...write, method: 'POST', readsOnly: true } as const]) {
      const attempts = attemptsOf({ ...getEntity, toRequest: () => request }, jeff)
      attempts.begin()
      attempts.record(lost)
      expect(attempts.inDoubt).toBe(false)
    }
  })

  it('knows its start by the clock of the service after a response has shown that clock', () => {
    const attempts = writing()
    expect([attempts.since, attempts.isDated]).toEqual([Number.NEGATIVE_INFINITY, false])
    const date = new Date(START - 60 * SECOND).toUTCString()
    attempts.begin()
    attempts.record(failed(409, { date }))
    expect([attempts.since, attempts.isDated]).toEqual([START - 61 * SECOND, true])
  })

  it('keeps its start when the clock of this machine is set after a response has shown it', () => {
    let now = START
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    vi.spyOn(performance, 'now').mockReturnValue(0)
    onTestFinished(() => void vi.restoreAllMocks())
    const attempts = attemptsOf(insertEntity, jeff, { now: undefined })
    const headers = { date: new Date(START).toUTCString() }
    const show = () => attempts.readClock({ status: 409, headers, body: '' })
    show()
    const { since } = attempts
    expect([attempts.isDated, START - since]).toEqual([true, SECOND])
    now += 3_600 * SECOND
    show()
    expect([attempts.since, attempts.isDated]).toEqual([since, true])
  })

  it('tells whether its deadline would pass during a wait', () => {
    let now = START
    const attempts = attemptsOf(getEntity, jeff, { now: () => now }, { deadline: 100 })
    expect([attempts.isOverAfter(99), attempts.isOverAfter(100)]).toEqual([false, true])
    expect(attempts.begin().limits.timeout).toBe(100)
    now += 100
    expect(() => attempts.begin()).toThrow('did not finish within its deadline, in 1 attempt.')
  })

  it('makes the policy of the call only once', () => {
    const made: string[] = []
    const policy = { delayAfter: () => 0 }
    const forCall = (operation: string) => {
      made.push(operation)
      return policy
    }
    const attempts = attemptsOf(getEntity, jeff, {}, { retry: { ...policy, forCall } })
    expect(attempts.policy).toBe(policy)
    expect(made).toEqual(['getEntity'])
  })

  it('goes to the only location that serves the operation', () => {
    const only: Operation<typeof jeff, unknown> = { ...getEntity, location: 'secondary' }
    expect(attemptsOf(only, jeff).begin().location).toBe('secondary')
  })
})

const ok = { status: 200, body: jeff.body }
const done = { status: 204 }
const refused = new TransportError({
  code: 'ConnectionFailed',
  message: 'refused',
  failure: 'refused',
  mayHaveApplied: false,
})
const lostWrite = new TransportError({ message: 'lost', mayHaveApplied: true })
const lostRead = new TransportError({ message: 'lost', mayHaveApplied: false })
const busy = {
  status: 503,
  body: '{"odata.error":{"code":"ServerBusy","message":{"value":"The server is busy."}}}',
}

/** How many requests a call makes when the first gets this turn and the others succeed. */
async function requestsOf(operation: 'read' | 'write', first: Turn): Promise<number> {
  const transport = scriptedTransport(first, operation === 'read' ? ok : done)
  const service = serviceOver(transport)
  const call =
    operation === 'read' ? perform(service, getEntity, jeff) : perform(service, insertEntity, jeff)
  await call.catch(() => {})
  return transport.requests.length
}

describe('the line', () => {
  it.each([408, 429, 500, 502, 503, 504, 507, 524])('retries a read after %i', async (status) => {
    expect(await requestsOf('read', { status })).toBe(2)
  })

  it.each([400, 401, 403, 404, 409, 412, 501])('does not retry a read after %i', async (status) => {
    expect(await requestsOf('read', { status })).toBe(1)
  })

  it.each([
    ['no connection', refused],
    ['a lostWrite response', lostRead],
  ])('retries a read after %s', async (_, failure) => {
    expect(await requestsOf('read', failure)).toBe(2)
  })

  it.each([
    ['no connection', refused],
    ['429', { status: 429 }],
    ['503 ServerBusy in the body', busy],
    ['503 ServerBusy in a header', { status: 503, headers: { 'x-ms-error-code': 'ServerBusy' } }],
  ])('retries a write that was certainly not applied: %s', async (_, failure) => {
    expect(await requestsOf('write', failure)).toBe(2)
  })

  it.each([
    ['a lostWrite response', lostWrite],
    ['408', { status: 408 }],
    ['500', { status: 500 }],
    ['502', { status: 502 }],
    ['503 of some machine in between', { status: 503, body: '<html>' }],
    ['504', { status: 504 }],
    ['an error of a transport of the caller', new TypeError('boom')],
  ])('retries a write whose outcome can be determined: %s', async (_, failure) => {
    expect(await requestsOf('write', failure)).toBe(2)
  })

  it.each([
    ['a policy of the caller', { retry: { delayAfter: () => 0 } }],
    ['the default policy', {}],
  ])('does not retry a write whose outcome cannot be determined, with %s', async (_, options) => {
    const transport = scriptedTransport(lostWrite, ok)
    const { reconcile: _reconcile, ...insertBlindly } = insertEntity
    const write = perform(serviceOver(transport), insertBlindly, jeff, options)
    await expect(write).rejects.toMatchObject({
      code: 'AmbiguousWrite',
      cause: lostWrite,
      attempts: 1,
    })
    expect(transport.requests).toHaveLength(1)
  })

  it('gives up after four attempts, and counts them', async () => {
    const transport = scriptedTransport({ status: 503 })
    const call = perform(serviceOver(transport), getEntity, jeff)
    await expect(call).rejects.toMatchObject({ status: 503, attempts: 4 })
    expect(transport.requests).toHaveLength(4)
  })

  it('waits as the policy says, and as the service asks', async () => {
    const delays: number[] = []
    const settings: TableServiceSettings = {
      sleep: async (delay) => void delays.push(delay),
      random: () => 0.5,
    }
    const transport = scriptedTransport(
      { status: 503 },
      { status: 429, headers: { 'x-ms-retry-after-ms': '77' } },
      refused,
      ok,
    )
    await perform(serviceOver(transport, settings), getEntity, jeff)
    expect(delays).toEqual([250, 77, 1000])
  })

  it('R-63, R-64: dates and signs each attempt anew', async () => {
    let now = START
    const settings: TableServiceSettings = {
      now: () => now,
      sleep: async () => {
        now += 20 * 60 * 1000
      },
    }
    const transport = scriptedTransport({ status: 503 }, ok)
    await perform(serviceOver(transport, settings), getEntity, jeff)
    const [first, second] = transport.requests.map(({ headers }) => headers)
    expect(first?.['x-ms-date']).toBe('Fri, 20 Nov 2026 12:00:00 GMT')
    expect(second?.['x-ms-date']).toBe('Fri, 20 Nov 2026 12:20:00 GMT')
    expect(second?.authorization).toMatch(/^SharedKeyLite contoso:[A-Za-z0-9+/]{43}=$/)
    expect(second?.authorization).not.toBe(first?.authorization)
  })

  it('sends nothing when the signal has already aborted', async () => {
    const transport = scriptedTransport(ok)
    const signal = AbortSignal.abort('enough')
    await expect(
      perform(serviceOver(transport), insertEntity, jeff, { signal }),
    ).rejects.toMatchObject({ name: 'AbortError', cause: 'enough', mayHaveApplied: false })
    expect(transport.requests).toHaveLength(0)
  })

  it('sends nothing more when the signal aborts between two attempts', async () => {
    const controller = new AbortController()
    const transport = scriptedTransport(busy)
    const settings: TableServiceSettings = { sleep: async () => controller.abort('enough') }
    const { signal } = controller
    const call = perform(serviceOver(transport, settings), insertEntity, jeff, { signal })
    await expect(call).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    expect(transport.requests).toHaveLength(1)
  })

  it('wakes from a real wait when the signal aborts', async () => {
    const controller = new AbortController()
    const transport = scriptedTransport(async () => {
      setImmediate(() => controller.abort())
      return { status: 503, headers: { 'retry-after': '30' }, body: '' }
    })
    const settings: TableServiceSettings = { sleep: undefined }
    const { signal } = controller
    const call = perform(serviceOver(transport, settings), getEntity, jeff, { signal })
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    expect(transport.requests).toHaveLength(1)
  })

  it('uses the timeout of the call, otherwise of the service, otherwise 30 s', async () => {
    const timeouts: unknown[] = []
    const transport = scriptedTransport(async ({ timeout }) => {
      timeouts.push(timeout)
      return { status: 200, headers: {}, body: jeff.body }
    })
    await perform(serviceOver(transport), getEntity, jeff)
    await perform(serviceOver(transport, { timeout: 20 }), getEntity, jeff)
    await perform(serviceOver(transport, { timeout: 20 }), getEntity, jeff, { timeout: 10 })
    expect(timeouts).toEqual([30_000, 20, 10])
  })

  it("R-107: wraps the error of a caller's transport", async () => {
    const boom = new TypeError('boom')
    const call = perform(serviceOver(scriptedTransport(boom)), insertEntity, jeff)
    await expect(call).rejects.toMatchObject({
      code: 'AmbiguousWrite',
      cause: { code: 'TransportFailed', cause: boom },
      mayHaveApplied: true,
    })
  })

  it.each([
    ['while it waits for the response', 0],
    ['while it waits to try again', 1],
    ['while the outcome is read back', 2],
  ])('says that a write may have been applied when it is aborted %s', async (_, at) => {
    const controller = new AbortController()
    const exists = { status: 409, body: '{"odata.error":{"code":"EntityAlreadyExists"}}' }
    const turns = [lostWrite, exists, ok] as const
    const transport = scriptedTransport(
      ...turns.map((turn, index) => async ({ signal }: AttemptLimits) => {
        if (index === at) controller.abort('enough')
        const mayHaveApplied = index === 0
        if (signal?.aborted && at !== 1) throw new AbortError({ reason: 'enough', mayHaveApplied })
        if (turn instanceof Error) throw turn
        return { headers: {}, ...turn }
      }),
    )
    const settings: TableServiceSettings = {
      sleep: async () => void (at === 1 && controller.abort('enough')),
    }
    const { signal } = controller
    const write = perform(serviceOver(transport, settings), insertEntity, jeff, { signal })
    await expect(write).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
      mayHaveApplied: true,
    })
    expect(transport.requests).toHaveLength(at === 2 ? 3 : 1)
  })

  it('returns to the budget after each successful call', async () => {
    let earned = 0
    const retryBudget = { spend: () => true, earn: () => void earned++ }
    const service = serviceOver(scriptedTransport(busy, ok), { retryBudget })
    await perform(service, getEntity, jeff)
    expect(earned).toBe(1)
  })

  it('R-114: uses a policy of its own for each call with forCall', async () => {
    const retry = {
      delayAfter: () => undefined,
      forCall: () => {
        let left = 1
        return { delayAfter: () => (left-- > 0 ? 0 : undefined) }
      },
    }
    const transport = scriptedTransport({ status: 404 })
    const service = serviceOver(transport, { retry })
    for (const _ of [1, 2]) {
      await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 2 })
    }
  })
})

describe('an insert whose response was lostWrite, with an equal entity stored', () => {
  const refusal = '{"odata.error":{"code":"EntityAlreadyExists","message":{"value":"No."}}}'
  const at = (seconds: number) => new Date(START + seconds * 1000)
  const stored = (seconds: number) =>
    JSON.stringify({ ...JSON.parse(jeff.body), Timestamp: at(seconds).toISOString() })

  async function inserted(storedAt: number, told: boolean) {
    const headers = told ? { date: at(0).toUTCString() } : {}
    const turns = [{ status: 409, headers, body: refusal }, { body: stored(storedAt) }]
    const service = serviceOver(scriptedTransport(lostWrite, ...turns), {
      retry: { delayAfter: ({ number }) => (number < 2 ? 0 : undefined) },
    })
    return perform(service, insertEntity, jeff).then(
      () => 'ok',
      ({ code }) => code,
    )
  }

  it("fails when the entity is minutes older by the service's clock", async () => {
    expect(await inserted(-300, true)).toBe('EntityAlreadyExists')
    expect(await inserted(0, true)).toBe('ok')
  })

  it('is ambiguous when no response shows the clock', async () => {
    expect(await inserted(-300, false)).toBe('AmbiguousWrite')
    expect(await inserted(0, false)).toBe('AmbiguousWrite')
  })
})

/** The record of one attempt of a read. */
async function attempted(turn: Turn, credential?: Credential): Promise<AttemptResult | undefined> {
  const context = new OperationContext()
  const service = serviceOver(scriptedTransport(turn), { retry: noRetry })
  const called = credential === undefined ? service : { ...service, credential }
  await perform(called, getEntity, jeff, { context }).catch(() => {})
  return context.lastAttempt
}

describe('an attempt', () => {
  it('is recorded with its response', async () => {
    expect(await attempted({ body: jeff.body })).toMatchObject({
      status: 200,
      verdict: 'succeeded',
      error: undefined,
      startedAt: START,
    })
  })

  it('is recorded with its response when that cannot be read', async () => {
    const garbled = await attempted({ body: '{"n":' })
    expect(garbled).toMatchObject({ status: 200, error: { code: 'UnexpectedResponse' } })
  })

  it('is recorded without a response when none came', async () => {
    const boom = new TypeError('boom')
    expect(await attempted(boom)).toMatchObject({ status: undefined, error: { cause: boom } })
  })

  it('is not recorded when the credential fails', async () => {
    const boom = new TypeError('no token')
    expect(await attempted({}, { authorize: () => Promise.reject(boom) })).toBeUndefined()
  })

  it.each([new TypeError('no token'), null, 7])(
    'rejects with what the credential throws: %s',
    async (thrown) => {
      const credential = { authorize: () => Promise.reject(thrown) }
      const service = { ...serviceOver(scriptedTransport({})), credential }
      await expect(perform(service, getEntity, jeff)).rejects.toBe(thrown)
    },
  )

  it('rejects with null when the credential throws undefined', async () => {
    const credential = { authorize: () => Promise.reject(undefined) }
    const service = { ...serviceOver(scriptedTransport({})), credential }
    await expect(perform(service, getEntity, jeff)).rejects.toBeNull()
  })

  it('stops waiting for the credential when the signal aborts', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const credential = { authorize: () => new Promise<never>(() => controller.abort('enough')) }
    const service = { ...serviceOver(scriptedTransport({})), credential }
    await expect(perform(service, getEntity, jeff, { signal })).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
    })
  })

  it('tells the operation which location responded', async () => {
    const headers = { 'x-ms-continuation-nextpartitionkey': 'a' }
    const transport = scriptedTransport({ headers, body: '{"value":[]}' })
    const service = serviceOver(transport, { locationMode: 'secondaryOnly' })
    const { continuation } = await perform(service, queryEntities, { table: 'people' })
    expect(continuation).toMatchObject({ location: 'secondary' })
  })

  it('carries the same id as the other attempts of its call', async () => {
    const transport = scriptedTransport({ status: 503 }, { body: jeff.body })
    const service = serviceOver(transport)
    await perform(service, getEntity, jeff)
    await perform(service, getEntity, jeff)
    const ids = transport.requests.map(({ headers }) => headers['x-ms-client-request-id'])
    expect(ids).toEqual(['id-1', 'id-1', 'id-2'])
  })
})

const missing = { status: 404, body: '{"odata.error":{"code":"ResourceNotFound"}}' }

describe('onAttempt and OperationContext', () => {
  it('R-106: receive every request that is sent', async () => {
    const results: AttemptResult[] = []
    const transport = scriptedTransport({ status: 500 }, { status: 500 }, { body: jeff.body })
    const service = serviceOver(transport, { onAttempt: (result) => results.push(result) })
    await perform(service, getEntity, jeff)
    expect(results.map(({ status }) => status)).toEqual([500, 500, 200])
    expect(results.every(Object.isFrozen)).toBe(true)
  })

  it('have no error for a response that the operation expects', async () => {
    const context = new OperationContext()
    const service = serviceOver(scriptedTransport(missing))
    await perform(service, findEntity, jeff, { context })
    expect(context.lastAttempt).toMatchObject({ status: 404, error: undefined })
  })

  it('use the context of the service for a call without one', async () => {
    const context = new OperationContext()
    const service = serviceOver(scriptedTransport({ body: jeff.body }), { context })
    await perform(service, getEntity, jeff)
    expect(context.attempts).toHaveLength(1)
  })

  it('shows no SAS', async () => {
    const context = new OperationContext()
    const transport = scriptedTransport({ body: jeff.body })
    const credential = new SasCredential(
      'sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    const service = { ...serviceOver(transport), credential }
    await perform(service, getEntity, jeff, { context })
    expect(transport.requests[0]?.query).toContain('c2VjcmV0')
    expect(JSON.stringify(context)).not.toContain('c2VjcmV0')
  })
})
