import { expect, it } from 'vitest'
import { explanation, explanationText } from '../../../packages/cli/src/condition/explain-text.ts'

it('counts the reads of keys, and says what a query of pages sends', () => {
  const plan = { plan: 'point', reasons: ['Reads one entity.'], comparisons: 2 } as const
  expect(explanation('people', plan as never).requests).toBe('1')
  const scan = { plan: 'tableScan', reasons: [], comparisons: 0, warnings: ['rejected'] } as const
  const text = explanationText(explanation('people', scan as never))
  expect(text).toContain('requests: 1, and 1 more for each 1,000 rows')
  expect(text).toContain('warning:  rejected')
})
