import { describe, expect, it } from 'vitest'
import { CASE_STEP, casesToPlay } from '../../support/cases-to-play.ts'
import { randomSteps } from '../../support/random-steps.ts'
import { brokenClients } from './history-defects.ts'
import { historyAt, recount, runHistories } from './history-run.ts'

/** The other compilers of decorators see fewer histories, and others. */
const isMain = process.env.DECORATORS === 'standard'
const STEPS = randomSteps(isMain ? 25_000 : 5_000)
const PARTS = [1, 2, 3, 4, 5, 6, 7, 8].slice(0, CASE_STEP === 1 ? 8 : randomSteps(10))
const SEEDS = isMain ? PARTS.map((part) => part * 1_000_000) : [77]

const STEP_KINDS = [
  'read',
  'make',
  'copy',
  'set',
  'rename',
  'freeze',
  'write',
  'settle',
  'rival',
  'modify',
  'reload',
] as const

describe(`random histories of ${STEPS} steps`, () => {
  it.each(SEEDS)(
    'break no rule and try everything, from seed %i',
    {
      timeout: 120_000,
    },
    async (seed) => {
      const { finding, tally } = await runHistories({ seed, steps: STEPS })
      const again =
        finding && `npm run tool histories -- --seed ${finding.seed} --path ${finding.path}`
      expect(finding && [finding.message, finding.program, again].join('\n\n')).toBeUndefined()
      expect(tally.total).toBeGreaterThanOrEqual(STEPS)
      for (const step of STEP_KINDS) {
        expect(tally.steps.get(step) ?? 0, step).toBeGreaterThan(STEPS / 500)
      }
      const ends = [...tally.writes.values()]
      const count = (end: 'resolved' | 'refused' | 'failed') =>
        ends.reduce((sum, each) => sum + each[end], 0)
      expect(tally.safe).toBeGreaterThan(STEPS / 100)
      // Rejecting is always safe, so it must stay the exception.
      expect(count('resolved')).toBeGreaterThan(STEPS / 10)
      expect(count('failed')).toBeGreaterThan(STEPS / 100)
      expect(count('refused') / (count('resolved') + count('failed'))).toBeLessThan(0.5)
    },
  )
})

describe('a history', () => {
  it('is the same each time it is made from its seed', async () => {
    const path = '3'
    const first = historyAt(5, path)
    expect(first?.steps.length).toBeGreaterThan(3)
    expect(historyAt(5, path)).toEqual(first)
    if (first === undefined) return
    const programs = [await recount(first), await recount(first)].map(({ program }) => program)
    expect(programs[0]).toBe(programs[1])
  })
})

describe('the checks of histories', () => {
  it.each(casesToPlay(brokenClients()))('find a client that $title', async (defect) => {
    const { breaks } = defect
    const isKnown = ({ rule }: { rule: string }) => rule !== breaks
    const steps = { seed: 1, steps: 10_000 }
    const { finding } = await runHistories({ ...steps, defect, isKnown, isLeftLong: true })
    expect(finding?.message).toMatch(new RegExp(`^${breaks}: `))
  })

  it('shorten a history that they find, and find it again', async () => {
    const defect = brokenClients().find(({ breaks }) => breaks === 'wrong row')
    const { finding } = await runHistories({ seed: 2, steps: 30_000, defect })
    expect(finding?.program.split('\n').length).toBeLessThan(20)
    const history = finding && historyAt(finding.seed, finding.path)
    expect(history).toEqual(finding?.history)
    if (history === undefined) return
    const { error } = await recount(history, defect)
    expect(error).toMatchObject({ rule: 'wrong row' })
  })
})
