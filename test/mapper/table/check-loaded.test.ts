import { ChangedKeyError, codecOf, modelOf, ProjectedEntityError } from '@rowkey/mapper'
import { dynamicEntityCodec } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkSameKey, checkWhole } from '../../../packages/mapper/src/table/check-loaded.ts'
import { Customer } from '../customer.ts'

const stored = { partitionKey: 'Smith', rowKey: 'Jeff' }
const raw = { PartitionKey: 'Smith', RowKey: 'Jeff' }

describe('checkSameKey', () => {
  it('R-100: refuses an entity whose key changed since it was read', () => {
    const check = (partitionKey: string, rowKey: string) =>
      checkSameKey(stored, { partitionKey, rowKey }, 'merge')
    expect(() => check('Smith', 'Jeff')).not.toThrow()
    expect(() => check('Smith', 'Ann')).toThrow(ChangedKeyError)
    expect(() => check('Jones', 'Jeff')).toThrow(
      /^merge .*\["Smith","Jeff"\].*\["Jones","Jeff"\].*insert the entity under its new key/,
    )
  })

  it('takes an entity that was never read', () => {
    expect(() => checkSameKey(undefined, { partitionKey: 'a', rowKey: 'b' }, 'merge')).not.toThrow()
  })
})

describe('checkWhole', () => {
  it.each([codecOf(modelOf(Customer)), dynamicEntityCodec])(
    'R-37: refuses an entity of which only a part was read',
    (codec) => {
      const check = (entity: object) => () => checkWhole<object>(codec, entity, 'replace')
      expect(check(codec.readPart(raw))).toThrow(ProjectedEntityError)
      expect(check(codec.readPart(raw))).toThrow(/Use merge/)
      expect(check(codec.read(raw))).not.toThrow()
      expect(check({})).not.toThrow()
    },
  )
})
