import { findEntity, getEntity, queryEntities } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import type { AttemptedCall } from '../../../packages/rest/src/retry/attempted-call.ts'
import type { AttemptOutcome, AttemptPlan } from '../../../packages/rest/src/retry/begun-attempt.ts'
import { makeAttempt } from '../../../packages/rest/src/retry/make-attempt.ts'
import { jeff, read } from '../people.ts'
import { scriptedTransport, type Turn } from '../scripted-transport.ts'
import { START } from '../service-over.ts'
import { callOf, settingsAt } from './attempts-of.ts'

const settings = settingsAt(() => START)
const plan: AttemptPlan = {
  number: 1,
  request: read,
  location: 'primary',
  startedAt: START,
  timeout: 5,
  strict: false,
}
const missing = { status: 404, body: '{"odata.error":{"code":"ResourceNotFound"}}' }

const lookup = (turn: Turn) => callOf(findEntity, jeff, read, scriptedTransport(turn))

function attempted<Input, Output>(
  call: AttemptedCall<Input, Output>,
  begun = plan,
): Promise<AttemptOutcome<Output>> {
  return makeAttempt({ settings, call, plan: begun, watch: undefined })
}

describe('makeAttempt', () => {
  it('signs, sends, and reads the answer', async () => {
    const outcome = await attempted(lookup({ body: jeff.body }))
    expect(outcome).toMatchObject({
      error: undefined,
      output: { raw: { RowKey: 'Jeff' } },
      signedAt: START,
      sent: { headers: { authorization: expect.stringContaining('contoso:') } },
    })
  })

  it('gives what went wrong, and does not reject', async () => {
    const garbled = await attempted(lookup({ body: '{"n":' }))
    expect(garbled).toMatchObject({
      error: { code: 'UnexpectedAnswer' },
      response: { status: 200 },
    })
    const boom = new TypeError('boom')
    expect(await attempted(lookup(boom))).toMatchObject({ error: boom })
  })

  it('takes an answer that the operation expects, unless it is strict', async () => {
    const taken = await attempted(lookup(missing))
    expect(taken).toMatchObject({ error: undefined, output: undefined })
    const strict = await attempted(lookup(missing), { ...plan, strict: true })
    expect(strict).toMatchObject({ error: { code: 'ResourceNotFound' } })
  })

  it('fails with whatever a credential throws, even nothing', async () => {
    for (const thrown of [new TypeError('no token'), undefined]) {
      const credential = { authorize: () => Promise.reject(thrown) }
      const outcome = await attempted({ ...lookup({}), credential })
      expect(outcome).toMatchObject({
        error: thrown ?? null,
        response: undefined,
        sent: undefined,
        signedAt: undefined,
      })
    }
  })

  it('does not wait for a credential when the signal aborts', async () => {
    const controller = new AbortController()
    const credential = { authorize: () => new Promise<never>(() => controller.abort('enough')) }
    const options = { signal: controller.signal }
    const call = { ...callOf(getEntity, jeff, read), credential, options }
    const outcome = await attempted(call)
    expect(outcome).toMatchObject({ error: { name: 'AbortError', cause: 'enough' } })
  })

  it('tells the operation which location answered', async () => {
    const headers = { 'x-ms-continuation-nextpartitionkey': 'a' }
    const transport = scriptedTransport({ headers, body: '{"value":[]}' })
    const call = callOf(queryEntities, { table: 'people' }, read, transport)
    const outcome = await attempted(call, { ...plan, location: 'secondary' })
    expect(outcome.output?.continuation).toMatchObject({ location: 'secondary' })
  })
})
