import { dynamicEntityCodec, EntityKeyError } from '@rowkey/odata'
import { dynamicQueryModel } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { EntityReads } from '../../../packages/mapper/src/table/entity-reads.ts'

const reads = new EntityReads('people', dynamicEntityCodec, dynamicQueryModel('people'))
const key = { partitionKey: 'Smith', rowKey: 'Jeff' }
const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 39 }

describe('EntityReads', () => {
  it('asks for all of an entity, or for some properties beside its identity', () => {
    expect(reads.input(['Smith', 'Jeff'], undefined)).toEqual({ table: 'people', key })
    expect(reads.input(key, ['age'])).toEqual({
      table: 'people',
      key,
      select: ['PartitionKey', 'RowKey', 'Timestamp', 'age'],
    })
  })

  it('refuses a target that names nothing', () => {
    expect(() => reads.input(['Smith'] as never, undefined)).toThrow(EntityKeyError)
  })

  it('marks an entity of which a part was read', () => {
    const whole = reads.entity({ raw, etag: 'e' }, { table: 'people', key })
    const part = reads.entity({ raw, etag: 'e' }, { table: 'people', key, select: ['age'] })
    for (const entity of [whole, part]) {
      expect(entity).toMatchObject({ ...key, etag: 'e' })
      expect(entity.get('age')?.as('Int32')).toBe(39)
    }
    expect([whole, part].map(dynamicEntityCodec.isPart)).toEqual([false, true])
  })
})
