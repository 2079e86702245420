import { getEntity, insertEntity, type Operation } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { CallProgress } from '../../../packages/rest/src/retry/call-progress.ts'
import { jeff, read, write } from '../people.ts'
import { START } from '../service-over.ts'
import { callOf, failed, lost, settingsAt } from './attempts-of.ts'

const SECOND = 1000

describe('CallProgress', () => {
  it('counts the attempts, and remembers when each began', () => {
    const progress = new CallProgress(
      settingsAt(() => START),
      callOf(getEntity, jeff, read),
    )
    expect(progress.attempts).toBe(0)
    expect(progress.begin()).toMatchObject({
      number: 1,
      request: read,
      location: 'primary',
      startedAt: START,
      timeout: 30_000,
      strict: false,
    })
    expect(progress.begin().number).toBe(2)
  })

  it('is in doubt from the first attempt that may have been applied', () => {
    const progress = new CallProgress(
      settingsAt(() => START),
      callOf(insertEntity, jeff, write),
    )
    const plan = progress.begin()
    progress.note(failed(503), plan)
    expect(progress.inDoubt).toBe(false)
    progress.note(lost, plan)
    progress.note(failed(503), plan)
    expect(progress.inDoubt).toBe(true)
    expect(progress.begin().strict).toBe(true)
    expect(progress.abortError('x')).toMatchObject({ cause: 'x', mayHaveApplied: true })
    expect(progress.deadlineError()).toMatchObject({ mayHaveApplied: true, attempts: 2 })
  })

  it('is never in doubt of a read, not even of one in a batch', () => {
    const settings = settingsAt(() => START)
    for (const request of [read, { ...write, method: 'POST', readsOnly: true } as const]) {
      const progress = new CallProgress(settings, callOf(getEntity, jeff, request))
      progress.note(lost, progress.begin())
      expect(progress.inDoubt).toBe(false)
    }
  })

  it('knows when it began by the clock of the service, once an answer has told that', () => {
    const call = callOf(insertEntity, jeff, write)
    const progress = new CallProgress(
      settingsAt(() => START),
      call,
    )
    expect([progress.since, progress.isDated]).toEqual([Number.NEGATIVE_INFINITY, false])
    const date = new Date(START - 60 * SECOND).toUTCString()
    progress.note(failed(409, { date }), progress.begin())
    expect([progress.since, progress.isDated]).toEqual([START - 61 * SECOND, true])
  })

  it('knows whether the time would be over', () => {
    let now = START
    const call = { ...callOf(getEntity, jeff, read), options: { deadline: 100 } }
    const progress = new CallProgress(
      settingsAt(() => now),
      call,
    )
    expect([progress.isOverAfter(99), progress.isOverAfter(100)]).toEqual([false, true])
    expect(progress.begin().timeout).toBe(100)
    now += 100
    expect(() => progress.begin()).toThrow('not done within its deadline')
  })

  it('makes no policy but once, for a policy of each call', () => {
    const made: string[] = []
    const policy = { delayAfter: () => 0 }
    const forCall = (operation: string) => {
      made.push(operation)
      return policy
    }
    const call = { ...callOf(getEntity, jeff, read), options: { retry: { ...policy, forCall } } }
    const progress = new CallProgress(
      settingsAt(() => START),
      call,
    )
    expect(progress.policy).toBe(policy)
    expect(made).toEqual(['getEntity'])
  })

  it('goes where alone an operation can be asked', () => {
    const only: Operation<typeof jeff, unknown> = { ...getEntity, location: 'secondary' }
    const progress = new CallProgress(
      settingsAt(() => START),
      callOf(only, jeff, read),
    )
    expect(progress.begin().location).toBe('secondary')
  })
})
