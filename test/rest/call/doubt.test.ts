import { inspect } from 'node:util'
import { InputError } from '@rowkey/odata'
import {
  AbortError,
  AmbiguousWriteError,
  type AttemptLimits,
  BudgetError,
  createTable,
  DeadlineError,
  type HttpHeaders,
  insertEntity,
  linearRetry,
  noRetry,
  type Operation,
  OperationContext,
  perform,
  SasCredential,
  type ServiceError,
  type Settlement,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { finalError, settleRejection } from '../../../packages/rest/src/call/doubt.ts'
import { faultyService, rowOf } from '../faulty-service.ts'
import { contoso, jeff } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'
import { attemptsOf, failed, lost } from './attempts-of.ts'

type Settle = () => Settlement<number> | Promise<Settlement<number>>

const applied: Settlement<number> = { outcome: 'applied', output: 5 }

async function settled(settle: Settle | undefined, outcome = failed(409), inDoubt = true) {
  const operation: Operation<typeof jeff, number> = {
    name: 'insertEntity',
    toRequest: insertEntity.toRequest,
    fromResponse: () => 0,
    reconcile: settle === undefined ? {} : { settle },
  }
  const attempts = attemptsOf(operation, jeff)
  attempts.begin()
  if (inDoubt) attempts.record(lost)
  return settleRejection(attempts, outcome.error)
}

describe('settleRejection', () => {
  it('lets the operation decide what a rejection means', async () => {
    expect(await settled(() => applied)).toBe(applied)
    const { error } = failed(409)
    const settle: Settle = () => ({ outcome: 'rejected', error: error as ServiceError })
    await expect(settled(settle)).rejects.toBe(error)
    expect(error).toMatchObject({ attempts: 1 })
  })

  it('does not ask the operation without a doubt or a rejection, or when it cannot decide', async () => {
    const asked: Settle = () => Promise.reject(new TypeError('asked'))
    expect(await settled(asked, failed(409), false)).toBeUndefined()
    expect(await settled(asked, failed(503))).toBeUndefined()
    expect(await settled(asked, lost)).toBeUndefined()
    expect(await settled(undefined)).toBeUndefined()
  })

  it('says that the write may have been applied when the read ends early', async () => {
    const aborted = new AbortError({ reason: 'enough', mayHaveApplied: false })
    await expect(settled(() => Promise.reject(aborted))).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
      mayHaveApplied: true,
    })
    const late = new DeadlineError({ message: 'late', mayHaveApplied: false, attempts: 1 })
    await expect(settled(() => Promise.reject(late))).rejects.toMatchObject({
      name: 'DeadlineError',
      mayHaveApplied: true,
      cause: { status: 409 },
    })
  })

  it('decides nothing when the read fails', async () => {
    const failing: Settle = () =>
      Promise.reject(new InputError({ code: 'InvalidOptionValue', message: 'no' }))
    expect(await settled(failing)).toBeUndefined()
  })
})

function errorOf(error: unknown, inDoubt: boolean, blind = false): unknown {
  const { reconcile: _, ...blindly } = insertEntity
  const attempts = attemptsOf(blind ? blindly : insertEntity, jeff)
  attempts.begin()
  if (inDoubt) {
    attempts.begin()
    attempts.record(lost)
  }
  return finalError(attempts, error)
}

describe('finalError', () => {
  it('is the last error when nothing is in doubt, with the number of attempts', () => {
    const { error } = failed(503)
    expect(errorOf(error, false)).toBe(error)
    expect(error).toMatchObject({ attempts: 1 })
    expect(errorOf(null, false)).toBeNull()
  })

  it('has the number of attempts also when the connection failed each time', async () => {
    const unsent = new TransportError({ message: 'no', mayHaveApplied: false })
    const call = perform(serviceOver(scriptedTransport(unsent)), insertEntity, jeff)
    await expect(call).rejects.toMatchObject({ code: 'TransportFailed', attempts: 4 })
  })

  it('stays the error of a call that ran out of time or requests', () => {
    const parts = { message: 'late', mayHaveApplied: true, attempts: 2 }
    const late = new DeadlineError({ ...parts, cause: undefined })
    const spent = new BudgetError({ ...parts, requests: 2, cause: undefined })
    for (const error of [late, spent]) expect(errorOf(error, true)).toBe(error)
  })

  it('says that the outcome is unknown, whatever the last error says', () => {
    const { error } = failed(503)
    const final = errorOf(error, true)
    expect(final).toBeInstanceOf(AmbiguousWriteError)
    expect(final).toMatchObject({ attempts: 2, cause: error, mayHaveApplied: true })
    expect((final as Error).message).toBe(
      "It is unknown whether insertEntity of people(PartitionKey='Smith',RowKey='Jeff') was applied, after 2 attempts. Call resolve() to check what is stored. The last error: No.",
    )
  })

  it('stays an AbortError, and says whether the write may have been applied', () => {
    const aborted = new AbortError({ reason: 'enough', mayHaveApplied: false })
    expect(errorOf(aborted, true)).toMatchObject({ cause: 'enough', mayHaveApplied: true })
    expect(errorOf(aborted, false)).toBe(aborted)
  })

  it('resolves to unknown when the operation cannot check, and rejects when reading fails', async () => {
    const blind = errorOf(new TypeError('no token'), true, true) as AmbiguousWriteError
    expect(await blind.resolve()).toBe('unknown')
    const mute = errorOf(null, true) as AmbiguousWriteError
    await expect(mute.resolve()).rejects.toThrow('mute')
  })
})

describe('resolve() of an insert that may have been applied', () => {
  const resolved = async (headers: HttpHeaders, timestamp: string) => {
    const body = JSON.stringify({ ...JSON.parse(jeff.body), Timestamp: timestamp })
    const lost = new TransportError({ message: 'lost', mayHaveApplied: true })
    const transport = scriptedTransport(lost, { headers, body })
    const service = serviceOver(transport, { retry: noRetry })
    const error = await perform(service, insertEntity, jeff).catch((e) => e)
    return error.resolve()
  }
  const date = new Date(START).toUTCString()
  const earlier = new Date(START - 600_000).toISOString()
  const now = new Date(START).toISOString()

  it('reads the time of the service from the response', async () => {
    expect(await resolved({ date }, earlier)).toBe('not applied')
    expect(await resolved({ date }, now)).toBe('applied')
  })

  it('does not compare times when no response shows the clock of the service', async () => {
    const stored = { body: JSON.stringify({ ...JSON.parse(jeff.body), n: 1, Timestamp: earlier }) }
    const lost = new TransportError({ message: 'lost', mayHaveApplied: true })
    const fast = { retry: noRetry, now: () => START + 3_600_000 }
    const service = serviceOver(scriptedTransport(lost, stored), fast)
    const error = await perform(service, insertEntity, jeff).catch((e) => e)
    expect(await error.resolve()).toBe('unknown')
  })

  it("resolves to 'unknown' when the credential may write but not read, and says why", async () => {
    const lost = new TransportError({ message: 'lost', mayHaveApplied: true })
    const forbidden = { status: 403, body: '{"odata.error":{"code":"AuthorizationFailure"}}' }
    const token = 'sv=2019-02-02&sp=a&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D'
    const reasons = {
      'before sending': { code: 'OutsideSasScope' },
      'by the service': { name: 'AuthenticationError' },
    }
    for (const checks of ['before sending', 'by the service'] as const) {
      const credential = new SasCredential(token, { checks })
      const over = serviceOver(scriptedTransport(lost, forbidden), { retry: noRetry })
      const error = await perform({ ...over, credential }, insertEntity, jeff).catch((e) => e)
      expect(await error.resolve()).toBe('unknown')
      expect(error.unseenBecause).toMatchObject(reasons[checks])
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('c2VjcmV0')
    }
  })

  it("resolves to 'unknown' for an equal entity when no response shows the time", async () => {
    expect(await resolved({}, earlier)).toBe('unknown')
    expect(await resolved({}, now)).toBe('unknown')
  })
})

const table = 'people'

describe('the witness of a write in doubt', () => {
  it.each(['ResourceNotFound', 'EntityNotFound', 'TableNotFound'])(
    'reads a table as missing that the service rejects with %s',
    async (code) => {
      const body = JSON.stringify({ 'odata.error': { code, message: { value: 'No.' } } })
      const lost = new TransportError({ message: 'Lost.', mayHaveApplied: true })
      const service = serviceOver(scriptedTransport(lost, { status: 404, body }))
      const options = { retry: noRetry }
      const error = await perform(service, createTable, { table }, options).catch((each) => each)
      expect(await error.resolve()).toBe('not applied')
    },
  )

  it('reads entities, tables and the clock of the service', async () => {
    const prepare = async (rival: Parameters<typeof perform>[0]) => {
      await perform(rival, createTable, { table })
      await perform(rival, insertEntity, rowOf(1))
    }
    const { service, requests } = await faultyService(['lost before'], prepare, { retry: noRetry })
    const seen: unknown[] = []
    const probe: typeof insertEntity = {
      ...insertEntity,
      reconcile: {
        async resolve(_, witness) {
          seen.push(witness.since, witness.isDated)
          seen.push(await witness.entity(table, rowOf(1).key))
          seen.push(await witness.entity(table, rowOf(1, 'Other').key))
          seen.push(witness.since, witness.isDated)
          seen.push(await witness.hasTable(table), await witness.hasTable('orders'))
          return 'unknown'
        },
      },
    }
    const error = await perform(service, probe, rowOf(2)).catch((reason) => reason)
    expect(await error.resolve()).toBe('unknown')
    expect(seen).toEqual([
      ...[Number.NEGATIVE_INFINITY, false],
      ...[expect.objectContaining({ raw: expect.objectContaining({ n: 1 }) }), undefined],
      ...[expect.any(Number), true],
      ...[true, false],
    ])
    expect(Number.isFinite(seen[4])).toBe(true)
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET', 'GET', 'GET'])
  })
})

describe('the reads of a write in doubt', () => {
  const lost = new TransportError({ message: 'Lost.', mayHaveApplied: true })
  const rejection = (status: number, code: string) => ({
    ...{ status, headers: {}, body: JSON.stringify({ 'odata.error': { code } }) },
  })
  const busy = { status: 503 }

  /** A service that reads at a secondary first, and records the limits of the requests after some turns. */
  function reading(...turns: readonly Turn[]) {
    const limits: AttemptLimits[] = []
    const transport = scriptedTransport(...turns, async (given) => {
      limits.push(given)
      return rejection(404, 'ResourceNotFound')
    })
    const service = serviceOver(transport, { locationMode: 'secondaryThenPrimary' })
    return { service, transport, limits }
  }

  it('have the signal, the timeout and the context of the call, and go to the primary', async () => {
    const exists = rejection(409, 'EntityAlreadyExists')
    const { service, transport, limits } = reading(lost, exists)
    const { signal } = new AbortController()
    const context = new OperationContext()
    const options = { signal, timeout: 1_234, context }
    await expect(perform(service, insertEntity, jeff, options)).rejects.toThrow(AmbiguousWriteError)
    expect(limits).toEqual([{ signal, timeout: 1_234 }])
    expect(transport.requests.map(({ origin }) => origin)).toEqual(Array(3).fill(contoso.origin))
    expect(context.attempts.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
  })

  it('have the timeout, the policy and the context of the call in resolve()', async () => {
    const { service, transport, limits } = reading(lost, busy, busy)
    const context = new OperationContext()
    const options = { timeout: 1_234, context, retry: linearRetry({ attempts: 2 }) }
    const error = await perform(service, insertEntity, jeff, options).catch((each) => each)
    expect(await error.resolve()).toBe('not applied')
    expect(limits).toEqual([{ timeout: 1_234 }])
    expect(transport.requests.map(({ origin }) => origin)).toEqual(Array(4).fill(contoso.origin))
    expect(context.attempts.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'GET'])
    const impatient = reading(lost, busy)
    const once = { retry: noRetry }
    const other = await perform(impatient.service, insertEntity, jeff, once).catch((each) => each)
    await expect(other.resolve()).rejects.toMatchObject({ status: 503, attempts: 1 })
  })

  it('share the deadline of the service in resolve()', async () => {
    let now = START
    const timeouts: unknown[] = []
    const slow: Turn = async ({ timeout }) => {
      timeouts.push(timeout)
      now += 300
      return rejection(404, 'ResourceNotFound')
    }
    const settings = { retry: noRetry, deadline: 1_000, now: () => now }
    const service = serviceOver(scriptedTransport(lost, slow), settings)
    const probe: typeof insertEntity = {
      ...insertEntity,
      reconcile: {
        async resolve({ key }, witness) {
          await witness.entity(table, key)
          await witness.entity(table, key)
          return 'unknown'
        },
      },
    }
    const error = await perform(service, probe, jeff).catch((each) => each)
    now += 5_000
    await error.resolve()
    expect(timeouts).toEqual([1_000, 700])
  })

  it('are not attempts of the write', async () => {
    const date = new Date(START).toUTCString()
    const Timestamp = new Date(START - 600_000).toISOString()
    const stored = {
      headers: { date },
      body: JSON.stringify({ ...JSON.parse(jeff.body), Timestamp }),
    }
    const exists = rejection(409, 'EntityAlreadyExists')
    const service = serviceOver(scriptedTransport(lost, { ...exists, headers: { date } }, stored))
    const rejected = perform(service, insertEntity, jeff)
    await expect(rejected).rejects.toMatchObject({ code: 'EntityAlreadyExists', attempts: 2 })
  })
})
