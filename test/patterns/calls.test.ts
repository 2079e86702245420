import type { ManyWritesOptions } from '@rowkey/patterns'
import * as patterns from '@rowkey/patterns'
import {
  AbortError,
  type CallOptions,
  exponentialRetry,
  type LocationMode,
  noRetry,
  OperationContext,
} from '@rowkey/rest'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { CASE_STEP } from '../support/cases-to-play.ts'
import { type Begin, calls, counting, keyed, keyless, optionless } from './calls.ts'

/** A value of each option of a call. The compiler finds a missing one. */
const VALUES: { readonly [Name in keyof Required<CallOptions>]: CallOptions[Name] } = {
  budget: { requests: 1_000 },
  context: new OperationContext(),
  deadline: 60_000,
  exactWrites: true,
  hedgeAfter: undefined,
  idempotencyKey: 'key-1',
  locationMode: 'primaryOnly',
  retry: noRetry,
  signal: new AbortController().signal,
  timeout: 30_000,
}

/** The public methods that take no options of a call, or none of their own. */
const WITHOUT = [
  'Copies.on',
  'LargeValueTable.stage',
  'OutboxTable.follow',
  'OutboxTable.handleAll',
  'PeriodTableSet.tableAt',
  'Work.announce',
  'Work.on',
  'Work.serve',
  'Worker.drain',
  'Worker.run',
]

const INVALID = /^Invalid(?:Option|Pattern)/

/** Values in place of an object of options. */
const GARBAGE = [null, 7, 'x y', true, 7n, Symbol('x'), () => {}]

const all = Object.entries(calls)
const whole = [...all, ...Object.entries(optionless)]
/** Those whose options are their last argument. A job of an outbox has other members, too. */
const plain = all.filter(([name]) => name !== 'OutboxTable.deliver')

/** Runs a call on a service of its own. */
async function ended(
  begin: Begin,
  options: object,
  disturb: (place: ReturnType<typeof counting>) => void = () => {},
  opening: Parameters<typeof counting>[0] = {},
) {
  const place = counting(opening)
  const call = await begin(place)
  disturb(place)
  return { place, ...(await place.endOf(() => call(options))) }
}

describe('every call of a pattern that sends', () => {
  it.each(all)('%s records all requests in one context', async (_, begin) => {
    const context = new OperationContext()
    const { requests, error } = await ended(begin, { context })
    expect([requests > 0, error]).toEqual([true, undefined])
    expect(context.attempts).toHaveLength(requests)
  })

  it.each(plain)('%s ends at its deadline', async (_, begin) => {
    const { requests, error } = await ended(begin, { deadline: 1_000 }, ({ network }) => {
      network.takes = 600
    })
    // The first two begin before.
    if (requests > 2) expect(error).toMatchObject({ code: 'DeadlineExceeded' })
  })

  it.each(all)('%s ends with its signal', async (_, begin) => {
    const undisturbed = await ended(begin, {})
    const stop = new AbortController()
    const { requests, error } = await ended(begin, { signal: stop.signal }, ({ network }) => {
      network.onResponse = () => stop.abort()
    })
    if (requests < undisturbed.requests) expect(error).toBeInstanceOf(AbortError)
  })

  it.each(whole)('%s does all of its work when the account closes with drain', async (_, begin) => {
    const undisturbed = await ended(begin, {})
    let closed: Promise<void> | undefined
    const closing = await ended(begin, {}, ({ account, network }) => {
      network.onResponse = () => {
        closed ??= account.close({ drain: true })
      }
    })
    await closed
    expect(closing.error).toBeUndefined()
    expect(closing.result).toEqual(undisturbed.result)
    expect(await closing.place.rows()).toEqual(await undisturbed.place.rows())
    await expect(closing.place.account.table('staff').find(['a', 'b'])).rejects.toMatchObject({
      failure: 'closed',
    })
  })

  it.each(all)(
    '%s has done all of its work after a lost response, or says so',
    async (name, begin) => {
      const whole = await ended(begin, {})
      const wanted = await whole.place.rows()
      for (let nth = 1, fired = 1; fired > 0; nth += CASE_STEP) {
        let rule: { readonly fired: number } = { fired: 0 }
        const { place, error } = await ended(
          begin,
          {},
          ({ faults }) => {
            const when = ({ method }: { readonly method: string }) => method !== 'GET'
            rule = faults.add({ when, nth, fault: { kind: 'lost response' } })
          },
          { retry: exponentialRetry() },
        )
        fired = rule.fired
        if (error === undefined) expect(await place.rows()).toEqual(wanted)
        else {
          expect(error).toMatchObject({ mayHaveApplied: true })
          // The work of these can be repeated at any time.
          expect(name).not.toMatch(/\.(?:build|verify|repair|drop)\b/)
        }
      }
    },
  )

  it.each(whole)('%s reads at the primary what decides a write', async (_, begin) => {
    const locationMode: LocationMode = 'secondaryThenPrimary'
    const { place, error } = await ended(begin, {}, undefined, { locationMode })
    expect(error).toBeUndefined()
    if (place.sent.every(({ method }) => method === 'GET')) return
    expect(place.sent.filter(({ path }) => path.includes('-secondary'))).toEqual([])
  })

  it.each(plain)('%s accepts all options of its type', async (_, begin) => {
    const { idempotencyKey: _key, ...options } = VALUES
    const { error } = await ended(begin, options)
    expect(error).toBeUndefined()
  })

  it.each(plain)(
    '%s rejects unknown options, wrong values and other things than an object',
    async (name, begin) => {
      const place = counting()
      const call = await begin(place)
      const codeOf = async (options: unknown) => {
        const { requests, error } = await place.endOf(() => call(options as object))
        expect(requests).toBe(0)
        return Object(error).code
      }
      expect(await codeOf({ timeuot: 1 })).toBe('UnknownOption')
      expect(await codeOf({ timeout: -1 })).toMatch(INVALID)
      // A query is the mapper's, and queues and stores have no checks of their own.
      if (!/^[A-Z]/.test(name) || name === 'IndexedTable.query') return
      for (const each of GARBAGE) expect(await codeOf(each)).toMatch(INVALID)
    },
  )

  it.each(Object.entries(keyed))('%s takes an idempotency key', async (_, begin) => {
    const { error } = await ended(begin, { idempotencyKey: 'key-1' })
    expect(error).toBeUndefined()
  })

  it.each(Object.entries(keyless))('%s rejects one key for all of its writes', async (_, begin) => {
    const { error } = await ended(begin, { idempotencyKey: 'key-1' })
    expect(error).toMatchObject({ code: 'UnknownOption' })
    expectTypeOf<keyof ManyWritesOptions>().toEqualTypeOf<
      Exclude<keyof CallOptions, 'idempotencyKey'>
    >()
  })
})

it('every public method of a pattern is in one of the lists', () => {
  const methods = Object.values<unknown>(patterns).flatMap((each) => {
    const isClass = typeof each === 'function' && /^class\b/.test(String(each))
    if (!isClass || each.prototype instanceof Error) return []
    return Object.entries(Object.getOwnPropertyDescriptors(each.prototype))
      .filter(([name, { value }]) => name !== 'constructor' && typeof value === 'function')
      .map(([name]) => `${each.name}.${name}`)
  })
  const known = whole.flatMap(([name]) => /^[A-Z]\w+\.\w+/.exec(name) ?? [])
  expect(new Set([...known, ...WITHOUT])).toEqual(new Set(methods))
})
