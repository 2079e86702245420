import { AmbiguousWriteError } from '@rowkey/rest'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomSteps } from '../support/random-steps.ts'
import {
  type Fault,
  faults,
  lostResponses,
  type Rival,
  type Turn,
  type Write,
} from '../vectors/lost-responses.ts'
import { playWrite as play, titleOf } from './play-write.ts'

const flat = (output: unknown) => [output].flat() as { etag?: string; etagIsOwn?: false }[]

describe('R-24: a write whose response is lost', () => {
  it.each(lostResponses.map((given) => [titleOf(given), given] as const))(
    '%s',
    async (_, given) => {
      const { settled, sent, left, stored } = await play(given)
      expect(settled).toMatchObject({ outcome: given.outcome })
      expect(left).toEqual([])
      expect(sent).toBe(given.requests ?? given.turns.length)
      expect(await stored()).toBe(given.stored)
      if ('error' in settled) {
        expect(settled.error.mayHaveApplied).toBe(given.mayHaveApplied ?? false)
        if (settled.error instanceof AmbiguousWriteError && given.resolved) {
          expect(await settled.error.resolve()).toBe(given.resolved)
        }
      } else if (given.readEtag) {
        expect(flat(settled.output)).toEqual(
          flat(settled.output).map(() => ({
            etag: expect.stringContaining('W/'),
            etagIsOwn: false,
          })),
        )
      }
    },
  )
})

/** What one entity shows when no other program writes the same. */
const tellable: readonly Write[] = ['insert', 'batch of inserts']
const byEtag: readonly Write[] = ['replace', 'merge', 'delete', 'batch with a merge']
const upserts: readonly Write[] = ['insertOrReplace', 'insertOrMerge', 'replace *', 'merge *']

const rivals: readonly Rival[] = ['inserts another', 'changes it', 'deletes it']
const fault = fc.constantFrom<Fault>(...faults)
const turn: fc.Arbitrary<Turn> = fc.oneof(
  { arbitrary: fault, weight: 3 },
  { arbitrary: fc.tuple(fc.constantFrom(...rivals), fault), weight: 1 },
)

describe('any faults during a write', () => {
  it('never lead to a wrong statement about its outcome', async () => {
    const writes = [...tellable, ...byEtag, ...upserts]
    const script = fc.array(turn, { minLength: 1, maxLength: 7 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...writes), script, async (what, turns) => {
        const { settled, done } = await play({ write: what, turns, outcome: '', stored: 0 })
        if (!('error' in settled)) {
          expect(done()).toBeGreaterThan(0)
          return
        }
        const { error } = settled
        if (!error.mayHaveApplied) expect(done()).toBe(0)
        if (!(error instanceof AmbiguousWriteError)) return
        const resolved = await error.resolve().catch(() => 'unreachable')
        if (byEtag.includes(what) && resolved === 'not applied') expect(done()).toBe(0)
        if (tellable.includes(what) && resolved === 'applied') expect(done()).toBeGreaterThan(0)
        if (['replace', 'merge', 'delete'].includes(what)) expect(resolved).not.toBe('applied')
      }),
      { numRuns: randomSteps(1_000) },
    )
  })
})
