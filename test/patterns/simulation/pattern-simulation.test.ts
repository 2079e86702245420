import { describe, expect, it } from 'vitest'
import { CASE_STEP } from '../../support/cases-to-play.ts'
import { PatternSimulation } from './pattern-simulation.ts'

const STEPS = CASE_STEP === 1 ? 300 : 100

describe(`R-146, R-147, R-148: ${STEPS} steps of rival programs that die, over a faulty network`, () => {
  it('leave nothing missing, stale or left over, and keep each partition right at every moment', async () => {
    const result = await new PatternSimulation({ seed: 20_261_122, steps: STEPS }).run()
    expect(result.wrong).toEqual([])
    expect(result.checks).toBeGreaterThan((2 * STEPS) / 3)
    expect(result.kills).toBeGreaterThan(STEPS / 300)
    expect(result.faults).toBeGreaterThan(STEPS / 3)
    expect(result.succeeded).toBeGreaterThan(STEPS / 3)
    expect(result.rows).toBeGreaterThan(0)
  }, 600_000)
})
