import { expect, it } from 'vitest'
import { randomSteps } from '../support/random-steps.ts'
import { playTenantCalls } from './tenant-calls.ts'

it.each([1, 2, 3, 4])(
  'no call of a table within a tenant shows or changes a row of another: seed %d',
  async (seed) => {
    const { done, wrong, endings } = await playTenantCalls(seed, randomSteps(2_000))
    expect(wrong).toEqual([])
    expect(endings?.get('made')).toBeGreaterThan(done / 4)
    expect(endings?.get('OutsideWithin')).toBeGreaterThan(done / 8)
  },
)
