import {
  AmbiguousWriteError,
  type AttemptLimits,
  createTable,
  EntityAlreadyExistsError,
  getEntity,
  insertEntity,
  linearRetry,
  noRetry,
  perform,
  SasCredential,
  type TableService,
  type TableServiceSettings,
  TransportError,
} from '@rowkey/rest'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ClockSkew } from '../../../packages/rest/src/retry/clock-skew.ts'
import { jeff } from '../people.ts'
import { type ScriptedTransport, scriptedTransport, type Turn } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'

const HOUR = 3_600_000
const dateOf = (time: number) => ({ date: new Date(time).toUTCString() })
const at = (time: number) => ({ status: 403, headers: dateOf(time), body: '' })
const denied = {
  status: 403,
  headers: dateOf(START + HOUR),
  body: '<m:error><m:code>AuthenticationFailed</m:code><m:message>No.</m:message></m:error>',
}
const ok = { status: 200, body: jeff.body }

describe('ClockSkew', () => {
  it('adopts a date that is more than five minutes off, and no other', () => {
    const skew = new ClockSkew()
    expect(skew.learn(at(START + 5 * 60_000), START, START)).toBe(false)
    expect(skew.learn({ status: 403, headers: { date: 'soon' }, body: '' }, START, START)).toBe(
      false,
    )
    expect(skew.learn({ status: 403, headers: {}, body: '' }, START, START)).toBe(false)
    expect(skew.correct(START)).toBe(START)
    expect(skew.learn(at(START - HOUR), START, START)).toBe(true)
    expect(skew.correct(START + 7)).toBe(START - HOUR + 7)
    expect(skew.learn(at(START - HOUR), START - HOUR, START)).toBe(false)
  })

  it('compares with the date of the request, even after other corrections', async () => {
    const skew = new ClockSkew()
    expect(skew.learn(at(START - HOUR), START, START)).toBe(true)
    expect(skew.learn(at(START - HOUR), START, START)).toBe(true)
    expect(skew.correct(START)).toBe(START - HOUR)
  })

  it('measures the clocks when the response arrives, so latency does not count', () => {
    const skew = new ClockSkew()
    const arrival = START + 30_000
    expect(skew.learn(at(arrival + HOUR), START, arrival)).toBe(true)
    expect(skew.correct(arrival)).toBe(arrival + HOUR)
  })

  it('replaces an earlier correction', () => {
    const skew = new ClockSkew()
    expect(skew.learn(at(START - HOUR), START, START)).toBe(true)
    expect(skew.learn(at(START + HOUR), START - HOUR, START)).toBe(true)
    expect(skew.correct(START)).toBe(START + HOUR)
  })

  it('is corrected only once per call', async () => {
    const deniedLater = { ...denied, headers: dateOf(START + 2 * HOUR) }
    const transport = scriptedTransport(denied, deniedLater, ok)
    const call = perform(serviceOver(transport), getEntity, jeff)
    await expect(call).rejects.toMatchObject({ code: 'AuthenticationFailed', attempts: 2 })
    expect(transport.requests).toHaveLength(2)
  })

  it('is corrected for each of several pending calls', async () => {
    const transport = scriptedTransport(denied, denied, denied, ok)
    const service = serviceOver(transport)
    await Promise.all([1, 2, 3].map(() => perform(service, getEntity, jeff)))
    expect(transport.requests).toHaveLength(6)
  })

  it('R-63: is corrected once for all later calls', async () => {
    const transport = scriptedTransport(denied, ok)
    const service = serviceOver(transport)
    await perform(service, getEntity, jeff)
    await perform(service, getEntity, jeff)
    expect(transport.requests.map(({ headers }) => headers['x-ms-date'])).toEqual([
      'Fri, 20 Nov 2026 12:00:00 GMT',
      'Fri, 20 Nov 2026 13:00:00 GMT',
      'Fri, 20 Nov 2026 13:00:00 GMT',
    ])
  })

  it('R-63: is named by the error when the correction does not help', async () => {
    const transport = scriptedTransport(denied)
    const call = perform(serviceOver(transport), createTable, { table: 'people' })
    await expect(call).rejects.toMatchObject({
      code: 'AuthenticationFailed',
      message: expect.stringContaining('60 minutes behind'),
      attempts: 2,
      mayHaveApplied: false,
    })
    expect(transport.requests).toHaveLength(2)
  })

  it('is not corrected for a SAS, which has no date', async () => {
    const transport = scriptedTransport(denied)
    const credential = new SasCredential(
      'sv=2019-02-02&sig=c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2U%3D',
    )
    const service = { ...serviceOver(transport), credential }
    await expect(perform(service, getEntity, jeff)).rejects.toThrow('behind')
    expect(transport.requests).toHaveLength(1)
  })

  it('is not corrected after a rejection for another reason', async () => {
    const mismatch = denied.body.replace('AuthenticationFailed', 'AuthorizationPermissionMismatch')
    const transport = scriptedTransport({ ...denied, body: mismatch })
    const call = perform(serviceOver(transport), getEntity, jeff)
    await expect(call).rejects.toMatchObject({ status: 403, attempts: 1 })
  })

  it('is corrected without a wait, a policy or a cost', async () => {
    const delays: number[] = []
    const settings: TableServiceSettings = {
      sleep: async (delay) => void delays.push(delay),
      retry: { delayAfter: () => undefined },
      retryBudget: { spend: () => false, earn: () => {} },
    }
    const transport = scriptedTransport(denied, ok)
    await perform(serviceOver(transport, settings), getEntity, jeff)
    expect(delays).toEqual([0])
  })
})

const busy = { status: 503, body: '{"odata.error":{"code":"ServerBusy"}}' }
const lost = new TransportError({ message: 'lost', mayHaveApplied: true })

const taken = {
  status: 409,
  headers: dateOf(START),
  body: '{"odata.error":{"code":"EntityAlreadyExists"}}',
}

describe('an insert whose response is lost while the clock of this machine is set', () => {
  afterEach(() => vi.restoreAllMocks())

  /** Inserts; the clock moves before the retry, which finds a row of a time by the clock of the service. */
  const insertDuring = async (step: number, storedAt: number) => {
    let now = step > 0 ? START - step : START
    vi.spyOn(Date, 'now').mockImplementation(() => now)
    const losing = async () => {
      now += step
      throw lost
    }
    const body = JSON.stringify({ ...JSON.parse(jeff.body), Timestamp: new Date(storedAt) })
    const found = { status: 200, headers: dateOf(START), body }
    const transport = scriptedTransport(losing, taken, found)
    return perform(serviceOver(transport, { now: undefined }), insertEntity, jeff)
  }

  it('is not said to have failed when the clock was set back', async () => {
    await expect(insertDuring(0, START)).resolves.toMatchObject({ etagIsOwn: false })
    await expect(insertDuring(-HOUR, START)).rejects.toThrow(AmbiguousWriteError)
  })

  it('does not take an older row for its own when the clock was set forward', async () => {
    const older = START - 600_000
    await expect(insertDuring(0, older)).rejects.toThrow(EntityAlreadyExistsError)
    await expect(insertDuring(HOUR, older)).rejects.toThrow(AmbiguousWriteError)
  })

  it('finds that a row is another that is older than both clocks say', async () => {
    const muchOlder = START - 2 * HOUR
    await expect(insertDuring(HOUR, muchOlder)).rejects.toThrow(EntityAlreadyExistsError)
    await expect(insertDuring(-HOUR, muchOlder)).rejects.toThrow(EntityAlreadyExistsError)
  })
})

it('does not wait longer for a location when the clock of this machine is set back', async () => {
  let now = START
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  const setBack = async () => {
    now -= HOUR
    return { headers: {}, ...busy }
  }
  const waits: number[] = []
  const service = serviceOver(scriptedTransport(busy, setBack, ok), {
    now: undefined,
    locationMode: 'primaryThenSecondary',
    retry: linearRetry({ delay: 1_000 }),
    sleep: async (delay) => void waits.push(delay),
  })
  await perform(service, getEntity, jeff)
  vi.restoreAllMocks()
  expect(waits).toEqual([0, expect.closeTo(1_000, -3)])
})

interface Timed {
  readonly transport: ScriptedTransport
  readonly service: TableService
  readonly waits: number[]
  readonly timeouts: (number | undefined)[]
}

/** A service where every request takes so many milliseconds, and waits take theirs. */
function timed(took: number, ...turns: readonly Turn[]): Timed {
  let now = START
  const waits: number[] = []
  const timeouts: (number | undefined)[] = []
  const slow = turns.map((turn) => async (limits: AttemptLimits) => {
    now += took
    timeouts.push(limits.timeout)
    if (turn instanceof Error) throw turn
    return { status: 200, headers: {}, body: '', ...(turn as object) }
  })
  const transport = scriptedTransport(...slow)
  const sleep = async (delay: number): Promise<void> => {
    now += delay
    waits.push(delay)
  }
  return { transport, service: serviceOver(transport, { now: () => now, sleep }), waits, timeouts }
}

describe('a deadline', () => {
  it('limits each attempt to the remaining time', async () => {
    const { service, timeouts } = timed(100, busy, busy, ok)
    await perform(service, getEntity, jeff, { deadline: 2000, timeout: 1500 })
    expect(timeouts).toEqual([1500, 1500, 2000 - 100 - 250 - 100 - 500])
  })

  it('ends the call before a wait that would pass it', async () => {
    const { service, transport, waits } = timed(100, {
      ...busy,
      headers: { 'retry-after': '20' },
    })
    const call = perform(service, getEntity, jeff, { deadline: 10_000 })
    await expect(call).rejects.toMatchObject({
      name: 'DeadlineError',
      code: 'DeadlineExceeded',
      mayHaveApplied: false,
      attempts: 1,
      cause: { code: 'ServerBusy' },
    })
    expect(transport.requests).toHaveLength(1)
    expect(waits).toEqual([])
  })

  it('ends an attempt that uses it up', async () => {
    const timeout = new TransportError({
      code: 'AttemptTimeout',
      message: 'late',
      mayHaveApplied: true,
    })
    for (const retry of [undefined, noRetry]) {
      const { service, transport } = timed(500, timeout)
      const call = perform(service, insertEntity, jeff, { deadline: 500, retry })
      await expect(call).rejects.toMatchObject({
        code: 'DeadlineExceeded',
        mayHaveApplied: true,
        message: expect.stringContaining('may have been applied'),
        cause: timeout,
      })
      expect(transport.requests).toHaveLength(1)
    }
  })

  it('keeps the final error of the last attempt', async () => {
    const { service } = timed(500, { status: 404 })
    const call = perform(service, getEntity, jeff, { deadline: 500 })
    await expect(call).rejects.toMatchObject({ code: 'Http404' })
  })

  it('covers the reads after a lost response', async () => {
    const exists = { status: 409, body: '{"odata.error":{"code":"EntityAlreadyExists"}}' }
    const { service, transport, timeouts } = timed(100, lost, exists, busy)
    const call = perform(service, insertEntity, jeff, { deadline: 1000 })
    await expect(call).rejects.toMatchObject({
      code: 'DeadlineExceeded',
      mayHaveApplied: true,
      attempts: 2,
      cause: { code: 'EntityAlreadyExists' },
    })
    expect(transport.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET', 'GET'])
    expect(timeouts.at(-1)).toBeLessThan(1000)
  })

  it('comes from the service when the call has none', async () => {
    const { transport } = timed(0, ok)
    let now = START
    const service = serviceOver(transport, { deadline: 5, now: () => (now += 10) })
    await expect(perform(service, getEntity, jeff)).rejects.toMatchObject({ attempts: 0 })
    expect(transport.requests).toHaveLength(0)
  })

  it('is shared by calls with the same Deadline', async () => {
    const { service, transport } = timed(400, ok)
    const shared = { deadline: { endsAt: START + 1000 } }
    const never = perform(service, getEntity, jeff, { deadline: { endsAt: Number.NaN } })
    await expect(never).rejects.toThrow(/deadline/)
    await perform(service, getEntity, jeff, shared)
    await perform(service, getEntity, jeff, shared)
    await perform(service, getEntity, jeff, shared)
    const late = perform(service, getEntity, jeff, shared)
    await expect(late).rejects.toMatchObject({ code: 'DeadlineExceeded', attempts: 0 })
    expect(transport.requests).toHaveLength(3)
  })

  it('is absent by default', () => {
    expect(timed(0, ok).service.begin({}, 'a loop').left).toBe(Number.POSITIVE_INFINITY)
  })

  it.each([0, -1, 1.5, '9', null, {}])('rejects %j', async (deadline) => {
    const { service, transport } = timed(0, ok)
    const call = perform(service, getEntity, jeff, { deadline: deadline as never })
    await expect(call).rejects.toMatchObject({ code: 'InvalidOptionValue' })
    expect(transport.requests).toHaveLength(0)
  })
})
