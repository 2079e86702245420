import { ChangedKeyError, ProjectedEntityError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { keepLoadedState } from '../../../packages/mapper/src/codec/loaded-state.ts'
import { checkSameKey, checkWhole } from '../../../packages/mapper/src/table/check-loaded.ts'

function loaded(projected = false): object {
  const entity = {}
  const raw = { PartitionKey: 'Smith', RowKey: 'Jeff' }
  keepLoadedState(entity, { raw, etag: 'W/"1"', projected })
  return entity
}

describe('checkSameKey', () => {
  it('R-100: refuses an entity whose key changed since it was read', () => {
    const check = (partitionKey: string, rowKey: string) =>
      checkSameKey(loaded(), { partitionKey, rowKey }, 'merge')
    expect(() => check('Smith', 'Jeff')).not.toThrow()
    expect(() => check('Smith', 'Ann')).toThrow(ChangedKeyError)
    expect(() => check('Jones', 'Jeff')).toThrow(
      /^merge .*\["Smith","Jeff"\].*\["Jones","Jeff"\].*insert the entity under its new key/,
    )
  })

  it('takes an entity that was never read', () => {
    expect(() => checkSameKey({}, { partitionKey: 'a', rowKey: 'b' }, 'merge')).not.toThrow()
  })
})

describe('checkWhole', () => {
  it('R-37: refuses an entity of which only a part was read', () => {
    expect(() => checkWhole(loaded(true), 'replace')).toThrow(ProjectedEntityError)
    expect(() => checkWhole(loaded(true), 'replace')).toThrow(/Use merge/)
    expect(() => checkWhole(loaded(false), 'replace')).not.toThrow()
    expect(() => checkWhole({}, 'replace')).not.toThrow()
  })
})
