import { describe, expect, it } from 'vitest'
import { PatternSimulation } from './pattern-simulation.ts'

describe('R-146, R-147, R-148: 300 steps of rival programs that die, over a faulty network', () => {
  it('leave nothing missing, stale or left over, and keep each partition right at every moment', async () => {
    const result = await new PatternSimulation({ seed: 20_261_122, steps: 300 }).run()
    expect(result.wrong).toEqual([])
    expect(result.checks).toBeGreaterThan(200)
    expect(result.kills).toBeGreaterThan(1)
    expect(result.faults).toBeGreaterThan(100)
    expect(result.succeeded).toBeGreaterThan(100)
    expect(result.rows).toBeGreaterThan(0)
  }, 600_000)
})
