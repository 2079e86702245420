import { describe, expect, it } from 'vitest'
import { keepPendingMigration } from '../../../packages/mapper/src/versions/pending-migration.ts'
import { upgradeBatches } from '../../../packages/mapper/src/versions/upgrade-batches.ts'

function row(partitionKey: string, isOld = true): object {
  const entity = {}
  const pending = { key: { partitionKey, rowKey: 'x' }, stored: [] }
  if (isOld) keepPendingMigration(entity, pending)
  return entity
}

describe('upgradeBatches', () => {
  it('groups what was migrated by partition, 100 at most', () => {
    const many = Array.from({ length: 101 }, () => row('a'))
    const batches = upgradeBatches([...many, row('a', false), row('b'), row('c', false), row('b')])
    expect(batches.map((batch) => batch.length)).toEqual([100, 1, 2])
  })

  it('finds nothing to do in rows of the latest version', () => {
    expect(upgradeBatches([row('a', false)])).toEqual([])
  })
})
