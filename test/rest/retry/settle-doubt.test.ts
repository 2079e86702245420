import {
  AbortError,
  DeadlineError,
  insertEntity,
  type Operation,
  OptionValueError,
  type Settlement,
} from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import { CallProgress } from '../../../packages/rest/src/retry/call-progress.ts'
import { settleDoubt } from '../../../packages/rest/src/retry/settle-doubt.ts'
import { jeff, write } from '../people.ts'
import { START } from '../service-over.ts'
import { callOf, failed, lost, settingsAt } from './attempts-of.ts'

type Settle = () => Settlement<number> | Promise<Settlement<number>>

const applied: Settlement<number> = { outcome: 'applied', output: 5 }
const unknown = { outcome: 'unknown' }

async function settled(settle: Settle | undefined, outcome = failed(409), inDoubt = true) {
  const operation: Operation<typeof jeff, number> = {
    name: 'insertEntity',
    toRequest: insertEntity.toRequest,
    fromResponse: () => 0,
    reconcile: settle === undefined ? {} : { settle },
  }
  const call = callOf(operation, jeff, write)
  const progress = new CallProgress(
    settingsAt(() => START),
    call,
  )
  if (inDoubt) progress.note(lost, progress.begin())
  return settleDoubt(call, progress, outcome)
}

describe('settleDoubt', () => {
  it('lets the operation decide what a refusal means', async () => {
    expect(await settled(() => applied)).toBe(applied)
  })

  it('asks nobody without a doubt, without a refusal, and where nobody knows', async () => {
    const nobody: Settle = () => Promise.reject(new TypeError('asked'))
    expect(await settled(nobody, failed(409), false)).toEqual(unknown)
    expect(await settled(nobody, failed(503))).toEqual(unknown)
    expect(await settled(nobody, lost)).toEqual(unknown)
    expect(await settled(undefined)).toEqual(unknown)
  })

  it('tells the truth about the write when the read-back is cut short', async () => {
    const aborted = new AbortError({ reason: 'enough', mayHaveApplied: false })
    await expect(settled(() => Promise.reject(aborted))).rejects.toMatchObject({
      name: 'AbortError',
      cause: 'enough',
      mayHaveApplied: true,
    })
    const late = new DeadlineError({ message: 'late', mayHaveApplied: false, attempts: 1 })
    await expect(settled(() => Promise.reject(late))).rejects.toMatchObject({
      name: 'DeadlineError',
      mayHaveApplied: true,
      cause: { status: 409 },
    })
  })

  it('decides nothing when the read-back fails', async () => {
    const failing: Settle = () => Promise.reject(new OptionValueError({ message: 'no' }))
    expect(await settled(failing)).toEqual(unknown)
  })
})
