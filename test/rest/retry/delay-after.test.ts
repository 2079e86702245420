import {
  AbortError,
  type CallOptions,
  type Credential,
  getEntity,
  insertEntity,
  OptionValueError,
  perform,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { CallProgress } from '../../../packages/rest/src/retry/call-progress.ts'
import { delayAfter } from '../../../packages/rest/src/retry/delay-after.ts'
import { jeff, read, write } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'
import { callOf, failed, lost, settingsAt } from './attempts-of.ts'

const settings = { ...settingsAt(() => START), retry: { delayAfter: () => 7 } }

async function delayOf(call: ReturnType<typeof callOf<never, unknown>>, outcome: typeof lost) {
  const progress = new CallProgress(settings, call)
  return delayAfter({ settings, call, progress, plan: progress.begin(), outcome })
}

const reading = callOf(getEntity, jeff, read) as never
const writing = callOf(insertEntity, jeff, write) as never

describe('delayAfter', () => {
  it('asks the policy after what comes of sending', async () => {
    expect(await delayOf(reading, failed(503))).toBe(7)
    expect(await delayOf(reading, failed(404))).toBe(7)
    expect(await delayOf(writing, lost)).toBe(7)
  })

  it('asks nobody after what does not', async () => {
    for (const error of [
      new TypeError('no token'),
      new OptionValueError({ message: 'wrong' }),
      new AbortError({ reason: undefined, mayHaveApplied: false }),
      null,
    ]) {
      expect(await delayOf(reading, { ...lost, error })).toBeUndefined()
    }
  })

  it('asks nobody when a write that cannot be repeated may have been applied', async () => {
    const { reconcile: _, ...blind } = insertEntity
    expect(await delayOf(callOf(blind, jeff, write) as never, lost)).toBeUndefined()
    expect(await delayOf(callOf(blind, jeff, write) as never, failed(503))).toBe(7)
  })
})

describe('a 401', () => {
  const refused = { status: 401, headers: { 'www-authenticate': 'Bearer x' }, body: '' }
  const ok = { status: 200, body: jeff.body }

  async function challenged(answer: boolean | undefined, ...turns: readonly Turn[]) {
    const seen: unknown[] = []
    const credential: Credential = {
      authorize: (request) => request,
      ...(answer !== undefined && {
        challenged: async (response) => {
          seen.push(response)
          return answer
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

  it('is shown to the credential, and the attempt made again when it learned from it', async () => {
    const { seen, outcome, sent } = await challenged(true, refused, ok)
    expect(seen).toEqual([refused])
    expect([outcome, sent]).toEqual(['ok', 2])
  })

  it('is shown once: the second is final', async () => {
    const { seen, outcome, sent } = await challenged(true, refused, refused)
    expect(seen).toHaveLength(1)
    expect([outcome, sent]).toEqual([401, 2])
  })

  it.each([false, undefined])('is final where nothing was learned: %s', async (answer) => {
    expect(await challenged(answer, refused, ok)).toMatchObject({ outcome: 401, sent: 1 })
  })

  describe('that the credential thinks about for ever', () => {
    const thinking = (options: CallOptions, begin = () => {}) => {
      const credential: Credential = {
        authorize: (request) => request,
        challenged: () => {
          begin()
          return new Promise(() => {})
        },
      }
      const service = { ...serviceOver(scriptedTransport(refused)), credential }
      return perform(service, getEntity, jeff, options)
    }

    it('ends with the signal', async () => {
      const controller = new AbortController()
      const call = thinking({ signal: controller.signal }, () => controller.abort('enough'))
      await expect(call).rejects.toMatchObject({ name: 'AbortError', cause: 'enough' })
    })

    it('ends with the deadline', async () => {
      const call = thinking({ deadline: 1 })
      await expect(call).rejects.toMatchObject({ name: 'DeadlineError', cause: { status: 401 } })
    })

    it('is final when the time of an attempt is over', async () => {
      await expect(thinking({ timeout: 1 })).rejects.toMatchObject({ status: 401 })
    })
  })
})
