import { describe, expect, it } from 'vitest'
import { snapshotOf } from '../../../../packages/mapper/src/snapshot/snapshot.ts'
import { EntityReads } from '../../../../packages/mapper/src/table/read/entity-reads.ts'
import { RowReader } from '../../../../packages/mapper/src/table/read/row-reader.ts'
import { dynamicParts } from '../../../../packages/mapper/src/table/table-parts.ts'
import { invalidKey } from '../../../support/rejections.ts'
import { freshAccount } from '../../fresh-account.ts'

const parts = dynamicParts(freshAccount().service, 'people', {})
const reads = new EntityReads(parts, new RowReader(parts.name, parts.origin, parts.codec))
const key = { partitionKey: 'Smith', rowKey: 'Jeff' }
const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', age: 39 }

describe('EntityReads', () => {
  it('request all of an entity, or some properties beside its identity', () => {
    expect(reads.input(['Smith', 'Jeff'], undefined)).toEqual({ table: 'people', key })
    expect(reads.input(key, ['age'])).toEqual({
      table: 'people',
      key,
      select: ['PartitionKey', 'RowKey', 'Timestamp', 'age'],
    })
  })

  it('reject a target that names nothing', () => {
    expect(() => reads.input(['Smith'] as never, undefined)).toThrow(invalidKey)
  })

  it('let an entity know its row, and whether only a part was read', () => {
    const whole = reads.entity({ raw, etag: 'e' }, { table: 'people', key })
    const part = reads.entity({ raw, etag: 'e' }, { table: 'people', key, select: ['age'] })
    for (const entity of [whole, part]) {
      expect(entity).toMatchObject({ ...key, etag: 'e' })
      expect(entity.get('age')?.as('Int32')).toBe(39)
    }
    const known = { origin: parts.origin, row: raw, etag: 'e' }
    expect([whole, part].map(snapshotOf)).toEqual([
      { ...known, partial: false },
      { ...known, partial: true },
    ])
  })
})
