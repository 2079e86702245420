import { describe, expect, it } from 'vitest'
import { NOWHERE } from '../../../packages/mapper/src/codec/row-codec.ts'
import { keepSnapshot, type Snapshot } from '../../../packages/mapper/src/snapshot/snapshot.ts'
import { upgradeBatches } from '../../../packages/mapper/src/versions/upgrade-batches.ts'

function row(PartitionKey: string, migrated: Snapshot['migrated'] = 'forward'): object {
  const entity = {}
  const raw = { PartitionKey, RowKey: 'x' }
  keepSnapshot(entity, { origin: NOWHERE, row: raw, etag: 'W/"1"', partial: false, migrated })
  return entity
}

const latest = (partitionKey: string): object => {
  const entity = row(partitionKey)
  const raw = { PartitionKey: partitionKey, RowKey: 'x' }
  keepSnapshot(entity, { origin: NOWHERE, row: raw, etag: 'W/"1"', partial: false })
  return entity
}

describe('upgradeBatches', () => {
  it('groups migrated rows by partition, with at most 100 rows in a group', () => {
    const many = Array.from({ length: 101 }, () => row('a'))
    const batches = upgradeBatches([...many, latest('a'), row('b'), latest('c'), row('b')])
    expect(batches.map((batch) => batch.length)).toEqual([100, 1, 2])
  })

  it('skips rows of the latest version, rows of the next one, and objects that were never read', () => {
    expect(upgradeBatches([latest('a'), row('a', 'back'), {}])).toEqual([])
  })
})
