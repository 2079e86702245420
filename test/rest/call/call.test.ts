import { getEventListeners } from 'node:events'
import {
  type AttemptLimits,
  type Call,
  type FailedAttempt,
  getEntity,
  insertEntity,
  noRetry,
  OperationContext,
  perform,
  type TableServiceSettings,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { cosmos, jeff } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'

const exists = { status: 409, body: '{"odata.error":{"code":"EntityAlreadyExists"}}' }
const ok = { status: 200, body: jeff.body }

/** A service whose clock moves while it waits, and its waits. */
function clocked(turns: readonly Turn[] = [], settings: TableServiceSettings = {}) {
  const waits: number[] = []
  let now = START
  const transport = scriptedTransport(...turns)
  const service = serviceOver(transport, {
    now: () => now,
    sleep: async (delay) => {
      waits.push(delay)
      now += delay
    },
    ...settings,
  })
  const pass = (ms: number): void => {
    now += ms
  }
  return { service, transport, waits, pass }
}

describe('a call', () => {
  it('begins its deadline once, for all of its requests', async () => {
    const timeouts: unknown[] = []
    const respond = (_: unknown, limits?: AttemptLimits) => {
      timeouts.push(limits?.timeout)
      return Promise.resolve({ ...ok, headers: {} })
    }
    const { service, pass } = clocked([], { transport: respond })
    await service.call({ deadline: 1_000 }, 'reads', async (call) => {
      await call.perform(getEntity, jeff)
      pass(400)
      await perform(service, getEntity, jeff, call.options)
      await service.call(call.options, 'inner', (part) => part.perform(getEntity, jeff))
      expect([call.left, call.endsAt]).toEqual([600, START + 1_000])
      pass(600)
      const late = call.perform(getEntity, jeff)
      await expect(late).rejects.toMatchObject({ code: 'DeadlineExceeded' })
    })
    expect(timeouts).toEqual([1_000, 600, 600])
  })

  it('has the deadline of the account, which bounds each part of a call in parts', async () => {
    const { service, pass } = clocked([ok, ok, ok], { deadline: 100 })
    const whole = service.begin({}, 'a loop')
    const parts = service.begin({}, 'a bulk write').inParts()
    pass(150)
    await expect(whole.perform(getEntity, jeff)).rejects.toMatchObject({ code: 'DeadlineExceeded' })
    expect(await parts.perform(getEntity, jeff)).toBeDefined()
    await service.call(parts.options, 'a part', async (part) => expect(part.left).toBe(100))
    const given = service.begin({ deadline: 50 }, 'a bulk write').inParts()
    pass(150)
    expect([given.left, given.part().left]).toEqual([Number.POSITIVE_INFINITY, 50])
    expect([parts.hasDeadline, given.hasDeadline, given.part().hasDeadline]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('gives all of its requests its options, also those that determine whether a write was applied', async () => {
    const lost = new TransportError({ message: 'lost', mayHaveApplied: true })
    const seen: unknown[] = []
    const { service } = clocked([lost, exists, ok])
    const spied = {
      ...service,
      line: (...[call, operation, input]: Parameters<typeof service.line>) => {
        seen.push([operation.name, call.given.timeout, call.given.retry === policy])
        return service.line(call, operation, input)
      },
    } as typeof service
    const policy = { delayAfter: ({ number }: FailedAttempt) => (number < 2 ? 0 : undefined) }
    const context = new OperationContext()
    const options = { timeout: 7, retry: policy, context }
    await perform(spied, insertEntity, jeff, options).catch(() => {})
    expect(seen).toEqual([
      ['insertEntity', 7, true],
      ['findEntity', 7, true],
    ])
    expect(context.attempts).toHaveLength(3)
  })

  it('records one call in a context, and no other', async () => {
    const { service } = clocked([ok, ok, ok])
    const context = new OperationContext()
    await service.call({ context }, 'reads', async (call) => {
      await call.perform(getEntity, jeff)
      await perform(service, getEntity, jeff, call.options)
    })
    expect(context.attempts).toHaveLength(2)
    const other = service.call({ context }, 'reads', async () => {})
    await expect(other).rejects.toMatchObject({ code: 'InvalidOptionValue' })
  })

  it('rejects invalid options with the name of the function that the caller called', async () => {
    const { service } = clocked()
    const wrong: object = { timeuot: 1 }
    await expect(service.call(wrong, 'rename', async () => {})).rejects.toThrow(
      "rename has no option 'timeuot'",
    )
  })

  it('makes some requests at the primary, until another signal aborts, or with other options', () => {
    const { service } = clocked()
    const [one, other] = [new AbortController(), new AbortController()]
    const call = service.begin(
      { signal: one.signal, exactWrites: true, idempotencyKey: 'k' },
      'a loop',
    )
    expect(call.atPrimary().given.locationMode).toBe('primaryOnly')
    expect(call.plainly().given).toMatchObject({ exactWrites: false, idempotencyKey: undefined })
    expect(call.with({ retry: noRetry }).given).toEqual({ ...call.given, retry: noRetry })
    const both = call.until(other.signal)
    other.abort('enough')
    expect([call.signal?.aborted, both.signal?.reason]).toEqual([false, 'enough'])
    expect(both.whole).toBe(call.whole)
  })

  it('ends with its own signal and with another one', () => {
    const { service } = clocked()
    for (const given of [true, false]) {
      for (const ending of given ? [0, 1] : [1]) {
        const signals = [new AbortController(), new AbortController()] as const
        const [{ signal }, other] = signals
        const call = service.begin(given ? { signal } : {}, 'a loop').until(other.signal)
        expect(call.signal?.aborted).toBe(false)
        signals[ending]?.abort()
        expect(call.signal?.aborted).toBe(true)
      }
    }
  })

  it('knows whether the caller gave a deadline, also inside a call in parts', () => {
    const { service } = clocked([], { deadline: 100 })
    for (const options of [{}, { deadline: 50 }]) {
      const whole = service.begin(options, 'a loop')
      const part = service.begin(whole.inParts().options, 'a part')
      expect([whole.hasDeadline, part.hasDeadline]).toEqual(Array(2).fill('deadline' in options))
      expect(whole.part()).toBe(whole)
      expect(service.begin(whole.options, 'a part').hasDeadline).toBe(true)
    }
  })

  it('rejects a place that the account does not have', () => {
    const { service } = clocked([], { endpoint: cosmos } as TableServiceSettings)
    expect(() => service.begin({ locationMode: 'secondaryOnly' }, 'a loop')).toThrow(
      "locationMode 'secondaryOnly' of a loop needs a secondary endpoint",
    )
  })

  it('shows each failed attempt, and what the policy decided, to all who observe it', async () => {
    const busy = { status: 503, body: '{"odata.error":{"code":"ServerBusy"}}' }
    const { service } = clocked([busy, ok])
    const seen: unknown[] = []
    const outer = service.begin({ retry: { delayAfter: () => 7 } }, 'a loop')
    const observed = outer.observed(({ code }, delay) => seen.push(['outer', code, delay]))
    await service.call(observed.options, 'inner', (call) =>
      call.observed(({ status }) => seen.push(['inner', status])).perform(getEntity, jeff),
    )
    expect(seen).toEqual([
      ['outer', 'ServerBusy', 7],
      ['inner', 503],
    ])
  })
})

describe('the waits of a call', () => {
  it('end at its deadline', async () => {
    const { service, waits, pass } = clocked()
    const call = service.begin({ deadline: 100 }, 'a loop')
    await call.wait(30)
    await call.wait(500)
    await call.wait(1)
    pass(5)
    await call.wait(1)
    expect(waits).toEqual([30, 70, 0, 0])
  })

  it('grow after each conflict, and do not begin when the deadline would pass', async () => {
    const { service, waits } = clocked()
    const call = service.begin({ deadline: 100 }, 'a loop')
    const again = [await call.again(1), await call.again(2), await call.again(3)]
    expect(again).toEqual([true, true, false])
    expect(await service.begin({ deadline: 25 }, 'a loop').again(1)).toBe(false)
    expect(waits).toEqual([25, 50])
  })
})

describe('orEnded of a call', () => {
  /** A wait, and whether it has ended. */
  function wait(call: Call) {
    let end = (): void => {}
    const pending = new Promise<void>((resolve) => {
      end = resolve
    })
    const wait = { end: () => end(), isOver: false }
    void call.orEnded(pending).then(() => {
      wait.isOver = true
    })
    return wait
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  it('waits for the promise', async () => {
    const { service } = clocked()
    const { signal } = new AbortController()
    const waiting = wait(service.begin({ signal }, 'waits'))
    await turn()
    expect(waiting.isOver).toBe(false)
    waiting.end()
    await turn()
    expect([waiting.isOver, getEventListeners(signal, 'abort')]).toEqual([true, []])
  })

  it('ends when the signal aborts, and when it has aborted', async () => {
    const { service } = clocked()
    const stop = new AbortController()
    const call = service.begin({ signal: stop.signal }, 'waits')
    const waiting = wait(call)
    await turn()
    expect([waiting.isOver, getEventListeners(stop.signal, 'abort').length]).toEqual([false, 1])
    stop.abort()
    await turn()
    expect([waiting.isOver, getEventListeners(stop.signal, 'abort').length]).toEqual([true, 0])
    await call.orEnded(new Promise(() => {}))
  })

  it('ends at the deadline, and after it', async () => {
    const { service, waits } = clocked()
    const call = service.begin({ deadline: 1_000 }, 'waits')
    await call.orEnded(new Promise(() => {}))
    await call.orEnded(new Promise(() => {}))
    expect([call.left, waits]).toEqual([0, [1_000]])
  })

  it('ends at a deadline that is longer than one wait', async () => {
    let now = START
    const { service } = clocked([], {
      now: () => now,
      sleep: async (delay) => {
        now += Math.min(delay, 400)
      },
    })
    const call = service.begin({ deadline: 1_000 }, 'waits')
    await call.orEnded(new Promise(() => {}))
    expect(call.left).toBe(0)
  })

  it('ends at the deadline of a clock that was set back while it waited', async () => {
    let now = START
    let isSetBack = false
    const { service } = clocked([], {
      now: () => now,
      sleep: async (delay) => {
        now += isSetBack ? delay : -5_000
        isSetBack = true
      },
    })
    const call = service.begin({ deadline: 1_000 }, 'waits')
    await call.orEnded(new Promise(() => {}))
    expect(call.left).toBe(0)
  })

  it('waits for the promise while the clock stands still', async () => {
    const { service } = clocked([], { now: () => START, sleep: async () => {} })
    const waiting = wait(service.begin({ deadline: 1_000 }, 'waits'))
    await turn()
    expect(waiting.isOver).toBe(false)
    waiting.end()
    await turn()
    expect(waiting.isOver).toBe(true)
  })

  it('ends when the account is closed', async () => {
    const { service } = clocked()
    const waiting = wait(service.begin({}, 'waits'))
    await service.close()
    await turn()
    expect(waiting.isOver).toBe(true)
  })

  it('ends its timer with the promise', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const { service } = clocked([], {
      sleep: (_, signal) => {
        signals.push(signal)
        return new Promise(() => {})
      },
    })
    const waiting = wait(service.begin({ deadline: 1_000 }, 'waits'))
    await turn()
    expect(signals.map((signal) => signal?.aborted)).toEqual([false])
    waiting.end()
    await turn()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  })
})
