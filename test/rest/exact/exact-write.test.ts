import { AmbiguousWriteError, entityGroupTransaction, insertEntity, perform } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { longTest } from '../../support/cases-to-play.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { exactScenarios } from '../../vectors/exact-writes.ts'
import {
  type Fault,
  faults,
  type Rival,
  type Turn,
  type Write,
} from '../../vectors/lost-responses.ts'
import { playWrite, titleOf } from '../play-write.ts'
import { exactService, meeting, personOf } from './exact-service.ts'

const exactly = { exactWrites: true }

describe('R-24: an exact write whose response is lost', () => {
  it.each(exactScenarios.map((given) => [titleOf(given), given] as const))(
    '%s',
    async (_, given) => {
      const { settled, sent, left, stored, transactions } = await playWrite(given, exactly)
      expect(settled).toMatchObject({ outcome: given.outcome })
      expect(left).toEqual([])
      expect(sent).toBe(given.turns.length)
      expect(transactions()).toBe(given.applied)
      expect(await stored()).toBe(given.stored)
      if (!('error' in settled)) return
      expect(settled.error.mayHaveApplied).toBe(given.mayHaveApplied ?? false)
      if (settled.error instanceof AmbiguousWriteError) {
        expect(await settled.error.resolve()).toBe(given.resolved)
        expect(await settled.error.resolve()).toBe(given.resolved)
      }
    },
  )
})

it.each([true, false])('a part with 300 is not a success, if exact: %s', async (exactWrites) => {
  const service = await exactService()
  const inner = service.client()
  const client = meeting(inner, async (request) => {
    const response = await inner.transport(request)
    return { ...response, body: response.body.replaceAll('HTTP/1.1 204', 'HTTP/1.1 300') }
  })
  const changes = [{ operation: insertEntity, input: personOf('Jeff') }]
  const sent = perform(
    client,
    entityGroupTransaction,
    { table: 'people', changes },
    { exactWrites },
  )
  await expect(sent).rejects.toMatchObject({ status: 300 })
})

const writes: readonly Write[] = [
  ...(['insert', 'insertOrReplace', 'insertOrMerge', 'replace', 'replace *', 'merge'] as const),
  ...(['merge *', 'delete', 'delete *', 'batch of inserts', 'batch with a merge'] as const),
]
const rivals: readonly Rival[] = ['inserts the same', 'inserts another', 'changes it', 'deletes it']
const fault = fc.constantFrom<Fault>(...faults)
const turn: fc.Arbitrary<Turn> = fc.oneof(
  { arbitrary: fault, weight: 3 },
  { arbitrary: fc.tuple(fc.constantFrom(...rivals), fault), weight: 1 },
)

/** What the caller learns about the write; with enough patience it always learns the truth. */
async function statedBy(
  settled: Awaited<ReturnType<typeof playWrite>>['settled'],
): Promise<string> {
  if (!('error' in settled)) return 'applied'
  const { error } = settled
  if (error instanceof AmbiguousWriteError) return error.resolve()
  return error.mayHaveApplied === false ? 'not applied' : 'unknown'
}

describe('any faults and rivals during an exact write', () => {
  longTest('never lead to a false success, a false failure or a second application', async () => {
    const script = fc.array(turn, { minLength: 1, maxLength: 9 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...writes), script, async (write, turns) => {
        const given = { write, turns, outcome: '', stored: 0 }
        const { settled, transactions } = await playWrite(given, exactly)
        const applied = transactions()
        expect(applied).toBeLessThanOrEqual(1)
        expect(await statedBy(settled)).toBe(applied === 1 ? 'applied' : 'not applied')
      }),
      { numRuns: randomSteps(2_000) },
    )
  })
})
