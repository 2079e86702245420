import { getEntity, insertEntity, type Operation } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { jeff, read, write } from '../people.ts'
import { START } from '../service-over.ts'
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
