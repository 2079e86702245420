import { insertEntity } from '@rowkey/rest'
import { expect, it } from 'vitest'
import { markerIdOf, markerOf, readMarker } from '../../../packages/rest/src/exact/marker.ts'
import type { WritePlan } from '../../../packages/rest/src/exact/write-plan.ts'
import { aWitness, storedLately } from '../reconcile/a-witness.ts'

const key = { partitionKey: 'Smith', rowKey: 'Jeff' }
const planOf = (rowKey: string): WritePlan<unknown> => ({
  table: 'people',
  changes: [
    { operation: insertEntity, input: { table: 'people', key: { ...key, rowKey }, body: '{}' } },
  ],
  toOutput: () => undefined,
  toError: (_, failed) => expect.fail(String(failed)),
})
const marker = markerOf(planOf('Jeff'), 'one')

it.each([
  ['missing', undefined, { state: 'missing' }],
  ['a fence', marker.fence, { state: 'fence' }],
  ['that of the write', marker.row, { state: 'written' }],
  ['that of an ended write', marker.ended(404), { state: 'written', rejectedWith: 404 }],
  ['that of another write', markerOf(planOf('Ben'), 'one').row, { state: 'other write' }],
])('readMarker tells when the marker is %s', async (_, row, expected) => {
  const stored = row && storedLately(JSON.parse(row.body))
  expect(await readMarker(marker, aWitness(stored))).toEqual(expected)
})

it('markerIdOf names the markers of a key as programs of earlier versions do', () => {
  expect([0, 1, 2].map((generation) => markerIdOf('order-7', generation))).toEqual([
    'order-7',
    'order-7~1',
    'order-7~2',
  ])
})
