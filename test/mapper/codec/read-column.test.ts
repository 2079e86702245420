import { encryptionKeys, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { parseEntityJson, type RawEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { columnCodec } from '../../../packages/mapper/src/codec/column-codec.ts'
import {
  readColumn,
  readStored,
  revealedRaw,
} from '../../../packages/mapper/src/codec/read-column.ts'
import { wireMembers } from '../../../packages/mapper/src/codec/write-column.ts'
import { unreadable } from '../../support/rejections.ts'
import { aColumn } from './a-column.ts'

const raw = (json: string) => parseEntityJson(json) as RawEntity

describe('readColumn', () => {
  it.each([
    ['{"m":"a"}', 'String', 'a'],
    ['{"m":true}', 'Boolean', true],
    ['{"m":5}', 'Int32', 5],
    ['{"m":5.5}', 'Double', 5.5],
    ['{"m":5.0}', 'Double', 5],
    ['{"m@odata.type":"Edm.Double","m":"NaN"}', 'Double', Number.NaN],
    ['{"m@odata.type":"Edm.Int64","m":"9007199254740993"}', 'Int64', 9007199254740993n],
    ['{"m@odata.type":"Edm.Binary","m":"AQI="}', 'Binary', Uint8Array.of(1, 2)],
  ] as const)('reads %s as %s, declared or not', (json, type, value) => {
    const declared = readColumn(aColumn(type), raw(json))
    const undeclared = readColumn(aColumn(), raw(json))
    expect(declared instanceof Uint8Array ? Uint8Array.from(declared) : declared).toEqual(value)
    expect(undeclared).toEqual(declared)
  })

  it('reads an Int32 as a declared Int64 or Double', () => {
    expect(readColumn(aColumn('Int64'), raw('{"m":5}'))).toBe(5n)
    expect(readColumn(aColumn('Double'), raw('{"m":5}'))).toBe(5)
  })

  it.each([
    ['Int32', '{"m":5.0}', 'Double'],
    ['Int32', '{"m@odata.type":"Edm.Int64","m":"5"}', 'Int64'],
    ['Double', '{"m@odata.type":"Edm.Int64","m":"5"}', 'Int64'],
    ['String', '{"m":5}', 'Int32'],
    ['DateTime', '{"m":"2017-11-10T02:46:55Z"}', 'String'],
  ] as const)('rejects an attempt to read a declared %s from %s', (declared, json, stored) => {
    expect(() => readColumn(aColumn(declared), raw(json))).toThrow(unreadable)
    expect(() => readColumn(aColumn(declared), raw(json))).toThrow(
      `Person.member is declared as ${declared}, but the stored property 'm' is of type ${stored}`,
    )
  })

  it('rejects a type that tables do not know', () => {
    const json = '{"m@odata.type":"Edm.Duration","m":"PT1S"}'
    expect(() => readColumn(aColumn(), raw(json))).toThrow(/Person\.member .*Edm\.Duration/)
    expect(() => readColumn(aColumn(), { m: '1', 'm@odata.type': 5 })).toThrow(unreadable)
  })

  it.each(['{}', '{"m":null}'])('R-09: finds nothing in %s', (json) => {
    expect(readColumn(aColumn('String'), raw(json))).toBeUndefined()
  })

  it.each(['toString', 'constructor', '__proto__'])('finds nothing under an absent %s', (name) => {
    expect(readColumn({ ...aColumn(), name }, raw('{}'))).toBeUndefined()
  })
})

describe('readStored', () => {
  it('tells the stored type, whatever is declared', () => {
    expect(readStored(aColumn('Double'), raw('{"m":5}'))).toEqual({ type: 'Int32', value: 5 })
    expect(readStored(aColumn('Int32'), raw('{"m":5.0}'))).toEqual({ type: 'Double', value: 5 })
    expect(readStored(aColumn(), raw('{}'))).toBeUndefined()
  })
})

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
