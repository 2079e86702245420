import { DecodeError, InputError } from '@rowkey/odata'
import {
  AbortError,
  type CallOptions,
  type Credential,
  entityGroupTransaction,
  getEntity,
  insertEntity,
  perform,
  type RetryPolicy,
  type TableService,
} from '@rowkey/rest'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Attempts } from '../../../packages/rest/src/call/attempts.ts'
import { nextDelay } from '../../../packages/rest/src/call/next-delay.ts'
import { batchErrorOf } from '../../../packages/rest/src/transaction/batch-error.ts'
import { jeff } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { serviceOver } from '../service-over.ts'
import { attemptsOf, failed, lost } from './attempts-of.ts'

const policy = { retry: { delayAfter: () => 7 } }

async function delayOf<Input, Output>(made: Attempts<Input, Output>, outcome: typeof lost) {
  const { response, error } = outcome
  return nextDelay(made as Attempts, { ...made.begin(), response, error })
}

const afterRead = (outcome: typeof lost) => delayOf(attemptsOf(getEntity, jeff, policy), outcome)
const afterWrite = (outcome: typeof lost, operation = insertEntity) =>
  delayOf(attemptsOf(operation, jeff, policy), outcome)

describe('nextDelay', () => {
  it('asks the policy after an error of sending', async () => {
    expect(await afterRead(failed(503))).toBe(7)
    expect(await afterRead(failed(404))).toBe(7)
    expect(await afterWrite(lost)).toBe(7)
  })

  it('shows the policy the status of a response that could not be read', async () => {
    const seen: unknown[] = []
    const retry: RetryPolicy = { delayAfter: ({ status }) => void seen.push(status) }
    const garbled = new DecodeError({ message: 'what?', mayHaveApplied: false })
    await delayOf(attemptsOf(getEntity, jeff, { retry }), { ...failed(203), error: garbled })
    await delayOf(attemptsOf(getEntity, jeff, { retry }), lost)
    expect(seen).toEqual([203, undefined])
  })

  it('gives up after any other error', async () => {
    for (const error of [
      new TypeError('no token'),
      new InputError({ code: 'InvalidOptionValue', message: 'wrong' }),
      new AbortError({ reason: undefined, mayHaveApplied: false }),
      null,
    ]) {
      expect(await afterRead({ ...lost, error })).toBeUndefined()
    }
  })

  it('gives up when a write that cannot be retried may have been applied', async () => {
    const { reconcile: _, ...blind } = insertEntity
    expect(await afterWrite(lost, blind)).toBeUndefined()
    expect(await afterWrite(failed(503), blind)).toBe(7)
  })
})

describe('throttling', () => {
  const empty = { spend: () => false, earn: () => {} }

  it('costs nothing of the budget', async () => {
    const writing = () => attemptsOf(insertEntity, jeff, { ...policy, retryBudget: empty })
    expect(await delayOf(writing(), failed(503))).toBeUndefined()
    expect(await delayOf(writing(), failed(429))).toBe(7)
  })

  it.each([
    [{ 'x-ms-retry-after-ms': '900' }, 900],
    [{ 'retry-after': '2' }, 2000],
    [{}, 60],
  ])('of a change in a batch shows its status and the wait in %j', async (headers, retryAfter) => {
    const part = { status: 429, headers, body: '{"odata.error":{"code":"429"}}' }
    const change = { operation: insertEntity, input: jeff }
    const seen: unknown[] = []
    const retry: RetryPolicy = {
      delayAfter(attempt) {
        seen.push([attempt.status, attempt.transient, attempt.retryAfter])
        return 0
      },
    }
    const outcome = {
      ...failed(202, { 'retry-after-ms': '60' }),
      error: batchErrorOf(part, [change], undefined),
    }
    await delayOf(
      attemptsOf(entityGroupTransaction, { table: 'people', changes: [change] }, { retry }),
      outcome,
    )
    expect(seen).toEqual([[429, true, retryAfter]])
  })
})

describe('a 401', () => {
  const refused = { status: 401, headers: { 'www-authenticate': 'Bearer x' }, body: '' }
  const ok = { status: 200, body: jeff.body }

  async function challenged(reaction: boolean | undefined, ...turns: readonly Turn[]) {
    const seen: unknown[] = []
    const credential: Credential = {
      authorize: (request) => request,
      ...(reaction !== undefined && {
        challenged: async (response) => {
          seen.push(response)
          return reaction
        },
      }),
    }
    const transport = scriptedTransport(...turns)
    const service = { ...serviceOver(transport), credential }
    const outcome = await perform(service, getEntity, jeff).then(
      () => 'ok',
      (error) => error.status,
    )
    return { seen, outcome, sent: transport.requests.length }
  }

  it('is shown to the credential, and retried when the credential reacts', async () => {
    const { seen, outcome, sent } = await challenged(true, refused, ok)
    expect(seen).toEqual([refused])
    expect([outcome, sent]).toEqual(['ok', 2])
  })

  it('is shown to the credential once; the second is final', async () => {
    const { seen, outcome, sent } = await challenged(true, refused, refused)
    expect(seen).toHaveLength(1)
    expect([outcome, sent]).toEqual([401, 2])
  })

  it('of a write shows the credential the whole request, which is sent again', async () => {
    const seen: unknown[] = []
    const credential: Credential = {
      authorize: (request) => request,
      challenged: (_response, _endpoint, rejected) => seen.push(rejected) > 0,
    }
    const transport = scriptedTransport(refused, { status: 204 })
    await perform({ ...serviceOver(transport), credential }, insertEntity, jeff)
    const [first, second] = transport.requests
    expect(first?.body).toBe(jeff.body)
    expect(second).toEqual(first)
    expect(seen).toEqual([first])
  })

  it.each([false, undefined])(
    'is final when the credential does not react: %s',
    async (reaction) => {
      expect(await challenged(reaction, refused, ok)).toMatchObject({ outcome: 401, sent: 1 })
    },
  )

  describe('during a reaction that does not end', () => {
    const thinking = (options: CallOptions, begin = (_: TableService) => {}) => {
      const credential: Credential = {
        authorize: (request) => request,
        challenged: () => {
          begin(service)
          return new Promise(() => {})
        },
      }
      const service: TableService = { ...serviceOver(scriptedTransport(refused)), credential }
      return perform(service, getEntity, jeff, options)
    }

    it('ends when the signal aborts', async () => {
      const controller = new AbortController()
      const call = thinking({ signal: controller.signal }, () => controller.abort('enough'))
      await expect(call).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    })

    it('ends when the service is closed', async () => {
      const call = thinking({}, (service) => void service.close())
      await expect(call).rejects.toMatchObject({ code: 'AccountClosed', mayHaveApplied: false })
    })

    it.each([
      ['ends at the deadline', { deadline: 500, timeout: 1_000 }, 'DeadlineExceeded'],
      ['is final after the timeout of an attempt', { deadline: 1_000, timeout: 500 }, 'Http401'],
    ])('%s, and not before', async (_, options, code) => {
      vi.useFakeTimers()
      onTestFinished(() => void vi.useRealTimers())
      const ended: unknown[] = []
      void thinking(options).catch((error) => ended.push(error.code))
      await vi.advanceTimersByTimeAsync(499)
      expect(ended).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(ended).toEqual([code])
    })
  })
})
