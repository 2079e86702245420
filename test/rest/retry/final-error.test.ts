import { inspect } from 'node:util'
import {
  AbortError,
  AmbiguousWriteError,
  type HttpHeaders,
  insertEntity,
  noRetry,
  perform,
  SasCredential,
  TransportError,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { CallProgress } from '../../../packages/rest/src/retry/call-progress.ts'
import { finalError } from '../../../packages/rest/src/retry/final-error.ts'
import { contoso, jeff, write } from '../people.ts'
import { scriptedTransport } from '../scripted-transport.ts'
import { START, serviceOver } from '../service-over.ts'
import { callOf, failed, lost, settingsAt } from './attempts-of.ts'

function errorOf(error: unknown, inDoubt: boolean, blind = false): unknown {
  const { reconcile: _, ...blindly } = insertEntity
  const call = callOf(blind ? blindly : insertEntity, jeff, write)
  const progress = new CallProgress(
    settingsAt(() => START),
    call,
  )
  progress.begin()
  if (inDoubt) progress.note(lost, progress.begin())
  return finalError(call, contoso, progress, error)
}

describe('finalError', () => {
  it('is the last error where nothing is in doubt, with the number of attempts', () => {
    const { error } = failed(503)
    expect(errorOf(error, false)).toBe(error)
    expect(error).toMatchObject({ attempts: 1 })
    expect(errorOf(null, false)).toBeNull()
  })

  it('says that the outcome is unknown, whatever the last attempt says of itself', () => {
    const { error } = failed(503)
    const final = errorOf(error, true)
    expect(final).toBeInstanceOf(AmbiguousWriteError)
    expect(final).toMatchObject({ attempts: 2, cause: error, mayHaveApplied: true })
    expect((final as Error).message).toBe(
      "Whether insertEntity of people(PartitionKey='Smith',RowKey='Jeff') was applied is unknown after 2 attempts. Call resolve() to look at what is stored. The last one: No.",
    )
  })

  it('keeps an abort an abort, with the truth', () => {
    const aborted = new AbortError({ reason: 'enough', mayHaveApplied: false })
    expect(errorOf(aborted, true)).toMatchObject({ cause: 'enough', mayHaveApplied: true })
    expect(errorOf(aborted, false)).toBe(aborted)
  })

  it('leaves the outcome unknown where the operation cannot look, and fails where it cannot read', async () => {
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

  it('takes the time from the answer that it reads', async () => {
    expect(await resolved({ date }, earlier)).toBe('not applied')
    expect(await resolved({ date }, now)).toBe('applied')
  })

  it('goes by no time when no answer tells it, however wrong the clock of this machine is', async () => {
    const stored = { body: JSON.stringify({ ...JSON.parse(jeff.body), n: 1, Timestamp: earlier }) }
    const lost = new TransportError({ message: 'lost', mayHaveApplied: true })
    const fast = { retry: noRetry, now: () => START + 3_600_000 }
    const service = serviceOver(scriptedTransport(lost, stored), fast)
    const error = await perform(service, insertEntity, jeff).catch((e) => e)
    expect(await error.resolve()).toBe('unknown')
  })

  it("says 'unknown' to who may write and not read, and why", async () => {
    const lost = new TransportError({ message: 'lost', mayHaveApplied: true })
    const forbidden = { status: 403, body: '{"odata.error":{"code":"AuthorizationFailure"}}' }
    const token = 'sv=2019-02-02&sp=a&sig=c2VjcmV0'
    const reasons = { 'before sending': 'SasScopeError', 'by the service': 'AuthenticationError' }
    for (const checks of ['before sending', 'by the service'] as const) {
      const credential = new SasCredential(token, { checks })
      const over = serviceOver(scriptedTransport(lost, forbidden), { retry: noRetry })
      const error = await perform({ ...over, credential }, insertEntity, jeff).catch((e) => e)
      expect(await error.resolve()).toBe('unknown')
      expect(error.unseenBecause).toMatchObject({ name: reasons[checks] })
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('c2VjcmV0')
    }
  })

  it('says of an equal entity that nobody knows, where no answer tells the time', async () => {
    expect(await resolved({}, earlier)).toBe('unknown')
    expect(await resolved({}, now)).toBe('unknown')
  })
})
