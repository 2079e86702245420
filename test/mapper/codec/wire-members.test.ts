import { encryptionKeys, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { edmCodecs } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { columnCodec, readStored } from '../../../packages/mapper/src/codec/column-codec.ts'
import { wireMembers } from '../../../packages/mapper/src/codec/write-column.ts'
import { memberJson } from '../../../packages/mapper/src/member/stored-member.ts'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}

const encryption = encryptionKeys({ current: 'k', keys: { k: Buffer.alloc(32, 1) } })
const column = (keys?: typeof encryption) =>
  columnCodec(modelOf(Person), { property: 'm', name: 'm', type: undefined, encryption: keys })
const key = { partitionKey: 'Smith', rowKey: 'Jeff' }
const place = { key, raw: undefined }

describe('wireMembers', () => {
  it('is the member itself when it is plain', () => {
    expect(wireMembers(column(), ',"m":"x"', place)).toBe(',"m":"x"')
  })

  it.each([
    ['Double', 3],
    ['Int64', 5n],
    ['String', '"quoted\\'],
  ] as const)('is a Binary that holds the %s', (type, value) => {
    const sealed = column(encryption)
    const text = wireMembers(sealed, memberJson(sealed.member, type, value), place)
    const { m } = JSON.parse(`{${text.slice(1)}}`)
    expect(edmCodecs.Binary.readJson(m, 'm').length).toBeGreaterThan(30)
    const raw = { PartitionKey: 'Smith', RowKey: 'Jeff', 'm@odata.type': 'Edm.Binary', m }
    expect(readStored(sealed, raw)).toEqual({ type, value })
  })
})
