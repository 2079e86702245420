import { scalabilityTargets } from '@rowkey/rest'
import { expect, it } from 'vitest'

it('R-14: the scalability targets of Table storage are constants', () => {
  expect(scalabilityTargets).toEqual({
    tableOperationsPerSecond: 20_000,
    partitionOperationsPerSecond: 2_000,
    accountTerabytes: 500,
    readableSecondaries: 1,
  })
  expect(Object.isFrozen(scalabilityTargets)).toBe(true)
})
