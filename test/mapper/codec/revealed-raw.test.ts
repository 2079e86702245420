import { encryptionKeys, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { parseEntityJson, type RawEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { columnCodec } from '../../../packages/mapper/src/codec/column-codec.ts'
import { revealedRaw } from '../../../packages/mapper/src/codec/revealed-raw.ts'
import { wireMembers } from '../../../packages/mapper/src/codec/wire-members.ts'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}

const keys = encryptionKeys({ current: 'k', keys: { k: Buffer.alloc(32, 1) } })
const columnOf = (name: string, encryption?: typeof keys) =>
  columnCodec(modelOf(Person), { property: name, name, type: undefined, encryption })
const secret = columnOf('secret', keys)
const open = columnOf('open')
const parse = (json: string) => parseEntityJson(json) as RawEntity
const key = { partitionKey: 'a', rowKey: 'b' }
const KEY = '"PartitionKey":"a","RowKey":"b","open":"x"'

describe('revealedRaw', () => {
  it.each([',"secret":"text"', ',"secret":5', ',"secret@odata.type":"Edm.Int64","secret":"5"'])(
    'shows %s as if it had never been encrypted',
    (member) => {
      const sealed = wireMembers(secret, member, { key, raw: undefined })
      expect(sealed).toMatch(/Edm\.Binary/)
      expect(revealedRaw([open, secret], parse(`{${KEY}${sealed}}`))).toEqual(
        parse(`{${KEY}${member}}`),
      )
    },
  )

  it('leaves what is not encrypted, or not there, as it is', () => {
    const raw = parse(`{${KEY}}`)
    expect(revealedRaw([open], raw)).toBe(raw)
    expect(revealedRaw([open, secret], raw)).toEqual(raw)
  })
})
