import { ChangedKeyError, codecOf, modelOf, ProjectedEntityError } from '@rowkey/mapper'
import { dynamicEntityCodec } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  checkAllRead,
  checkSameKey,
  checkWhole,
} from '../../../packages/mapper/src/table/check-loaded.ts'
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

describe('checkAllRead', () => {
  it('refuses an entity that was merged into a version that nobody read', () => {
    const codec = codecOf(modelOf(Customer))
    const jeff = codec.read({ ...raw, 'odata.etag': 'W/"1"' })
    const body = '{"PartitionKey":"Smith","RowKey":"Jeff","age":1}'
    const check = () => checkAllRead(codec, jeff, 'replace')
    codec.written(jeff, 'W/"2"', { body, whole: false, onto: 'W/"1"' })
    expect(check).not.toThrow()
    codec.written(jeff, 'W/"3"', { body, whole: false })
    expect(check).toThrow(ProjectedEntityError)
    expect(check).toThrow(/reload the entity first/)
    codec.refresh(jeff, codec.read(raw))
    expect(check).not.toThrow()
  })

  it('takes an entity that shows all that is stored of it', () => {
    const { read, written } = dynamicEntityCodec
    const jeff = read(raw)
    written(jeff, 'W/"2"', { body: '{"PartitionKey":"Smith","RowKey":"Jeff"}', whole: false })
    expect(() => checkAllRead(dynamicEntityCodec, jeff, 'replace')).not.toThrow()
  })
})
