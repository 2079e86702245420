import { EntityNotFoundError } from 'rowkey'
import { expect, test } from 'vitest'
import { awardPoints } from './award-points.ts'
import { customers, local } from './tables.ts'

const ann = ['CH', 'ann'] as const

test('a customer gets points', async () => {
  await customers.insert({ country: 'CH', id: 'ann' })
  await awardPoints(customers, ann, 5n)
  await Promise.all([awardPoints(customers, ann, 10n), awardPoints(customers, ann, 20n)])
  expect((await customers.get(ann)).points).toBe(35n)
})

test('points count once when the response to a write is lost', async () => {
  await customers.insert({ country: 'CH', id: 'ann' })
  const lost = local.faults.add({
    operation: 'entityGroupTransaction',
    nth: 1,
    fault: { kind: 'lost response' },
  })
  await awardPoints(customers, ann, 5n)
  expect(lost.fired).toBe(1)
  expect((await customers.get(ann)).points).toBe(5n)
})

test('a missing customer gets none', async () => {
  await expect(awardPoints(customers, ann, 5n)).rejects.toThrow(EntityNotFoundError)
})
