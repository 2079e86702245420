import { expect, it } from 'vitest'
import { explanation, explanationText } from '../../../packages/cli/src/condition/explain-text.ts'

const scan = { plan: 'tableScan', reasons: [], comparisons: 0, warnings: ['rejected'] } as const

it('counts the reads of keys, and says what a query of pages sends', () => {
  const requests = (range: object) =>
    explanation('people', { ...scan, requests: range } as never).requests
  expect(requests({ least: 1, most: 1 })).toBe('1')
  expect(requests({ least: 2, most: 3 })).toBe('2 to 3')
  const text = explanationText(explanation('people', { ...scan, requests: { least: 2 } } as never))
  expect(text).toContain('requests: 2, and 1 more for each 1,000 rows')
  expect(text).toContain('warning:  rejected')
})

it('names the list price, and what Cosmos DB bills', () => {
  const cost = (dollars: object | undefined) =>
    explanation('people', { ...scan, requests: { least: 1 }, dollars } as never).cost
  expect(cost({ least: 3.6e-8 })).toBe(
    'about 0.036 USD for a million requests at the list price of Azure Table storage',
  )
  expect(cost(undefined)).toContain('request units')
})
