import {
  defineEntity,
  Encrypted,
  encryptionKeys,
  key,
  modelOf,
  PartitionKey,
  Plain,
  Property,
  plain,
  RowKey,
  StoreAs,
} from '@rowkey/mapper'
import type { Secret } from '@rowkey/query'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

const keys = encryptionKeys({ current: 'k', keys: { k: Buffer.alloc(32, 1) } })

class Patient {
  @PartitionKey() clinic = ''
  @RowKey() id = ''
  @Plain() @Property('Int64') @StoreAs('v') visits?: bigint
  @Plain() get label(): string {
    return `${this.clinic} ${this.id}`
  }
}

describe('Plain', () => {
  it('stores a member as it would be stored, and says that it is meant', () => {
    expect(modelOf(Patient).columns).toMatchObject([
      { property: 'visits', name: 'v', type: 'Int64', plain: true },
      { property: 'label', name: 'label', plain: true },
    ])
  })

  it('cannot stand beside @Encrypted, nor on a key', () => {
    class Both {
      @PartitionKey() a = ''
      @RowKey() b = ''
      @Plain() @Encrypted(keys) c?: Secret<string>
    }
    expect(() => modelOf(Both)).toThrow(/Both\.c.*@Encrypted and @Plain/)
    class OnKey {
      @PartitionKey() a = ''
      @Plain() @RowKey() b = ''
    }
    expect(() => modelOf(OnKey)).toThrow(/OnKey\.b.*@RowKey and @Plain/)
  })

  it('is plain() in defineEntity', () => {
    const { columns } = defineEntity({
      name: 'visits',
      partitionKey: key`${'a'}`,
      rowKey: key`${'b'}`,
      schema: z.object({ a: z.string(), b: z.string(), c: z.string() }),
      columns: { c: plain() },
    })
    expect(columns).toMatchObject([{ property: 'c', type: 'String', plain: true }])
  })
})
