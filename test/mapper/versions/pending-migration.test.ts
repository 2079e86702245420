import { describe, expect, it } from 'vitest'
import {
  keepPendingMigration,
  pendingMigration,
} from '../../../packages/mapper/src/versions/pending-migration.ts'

describe('pendingMigration', () => {
  it('is kept with an object until it is stored', () => {
    const entity = {}
    const pending = { key: { partitionKey: 'a', rowKey: 'b' }, stored: ['x'] }
    expect(pendingMigration(entity)).toBeUndefined()
    keepPendingMigration(entity, pending)
    expect(pendingMigration(entity)).toBe(pending)
    keepPendingMigration(entity, undefined)
    expect(pendingMigration(entity)).toBeUndefined()
  })
})
