import { getEntity, insertEntity, type Operation } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { CallProgress } from '../../../packages/rest/src/retry/call-progress.ts'
import { jeff, read, write } from '../people.ts'
import { START } from '../service-over.ts'
import { callOf, failed, lost } from './attempts-of.ts'

const SECOND = 1000
const reading = callOf(getEntity, jeff)
const writing = callOf(insertEntity, jeff)

describe('CallProgress', () => {
  it('counts attempts and records when each begins', () => {
    const progress = new CallProgress(reading, read)
    expect(progress.attempts).toBe(0)
    expect(progress.begin()).toMatchObject({
      number: 1,
      request: read,
      location: 'primary',
      startedAt: START,
      date: START,
      limits: { timeout: 30_000 },
      strict: false,
    })
    expect(progress.begin().number).toBe(2)
  })

  it('is in doubt after the first attempt that may have been applied', () => {
    const progress = new CallProgress(writing, write)
    progress.begin()
    progress.record(failed(503))
    expect(progress.inDoubt).toBe(false)
    progress.record(lost)
    progress.record(failed(503))
    expect(progress.inDoubt).toBe(true)
    expect(progress.begin().strict).toBe(true)
    expect(progress.abortError('x')).toMatchObject({ cause: 'x', mayHaveApplied: true })
    expect(progress.deadlineError()).toMatchObject({ mayHaveApplied: true, attempts: 2 })
  })

  it('is never in doubt about a read, even in a batch', () => {
    for (const request of [read, { ...write, method: 'POST', readsOnly: true } as const]) {
      const progress = new CallProgress(reading, request)
      progress.begin()
      progress.record(lost)
      expect(progress.inDoubt).toBe(false)
    }
  })

  it('knows its start by the clock of the service after a response has shown that clock', () => {
    const progress = new CallProgress(writing, write)
    expect([progress.since, progress.isDated]).toEqual([Number.NEGATIVE_INFINITY, false])
    const date = new Date(START - 60 * SECOND).toUTCString()
    progress.begin()
    progress.record(failed(409, { date }))
    expect([progress.since, progress.isDated]).toEqual([START - 61 * SECOND, true])
  })

  it('tells whether its deadline would pass during a wait', () => {
    let now = START
    const call = { ...callOf(getEntity, jeff, { now: () => now }), options: { deadline: 100 } }
    const progress = new CallProgress(call, read)
    expect([progress.isOverAfter(99), progress.isOverAfter(100)]).toEqual([false, true])
    expect(progress.begin().limits.timeout).toBe(100)
    now += 100
    expect(() => progress.begin()).toThrow('did not finish within its deadline, in 1 attempt.')
  })

  it('makes the policy of the call only once', () => {
    const made: string[] = []
    const policy = { delayAfter: () => 0 }
    const forCall = (operation: string) => {
      made.push(operation)
      return policy
    }
    const call = { ...reading, options: { retry: { ...policy, forCall } } }
    expect(new CallProgress(call, read).policy).toBe(policy)
    expect(made).toEqual(['getEntity'])
  })

  it('goes to the only location that serves the operation', () => {
    const only: Operation<typeof jeff, unknown> = { ...getEntity, location: 'secondary' }
    expect(new CallProgress(callOf(only, jeff), read).begin().location).toBe('secondary')
  })
})
