import { encryptionKeys, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { EDM_TYPES, type EdmType, parseEntityJson, type RawEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  columnCodec,
  declaredForm,
  hasForm,
  readColumn,
  readStored,
  revealedRaw,
} from '../../../packages/mapper/src/codec/column-codec.ts'
import { wireMembers } from '../../../packages/mapper/src/codec/write-column.ts'
import { unreadable } from '../../support/rejections.ts'
import { Customer } from '../customer.ts'
import { aColumn } from './a-column.ts'

describe('columnCodec', () => {
  it('holds the stored name and its annotations', () => {
    const column = aColumn('Int64')
    expect(column).toMatchObject({ annotation: 'm@odata.type', label: 'Person.member' })
    expect(column.member.plain).toBe(',"m":')
    expect(column.member.annotated('Int64')).toBe(',"m@odata.type":"Edm.Int64","m":')
  })

  it('recognizes a computed member', () => {
    const model = { ...modelOf(Customer), computed: ['age'] }
    const column = { property: 'age', name: 'age', type: undefined }
    expect(columnCodec(model, column).computed).toBe(true)
    expect(aColumn().computed).toBe(false)
  })
})

const has = (type: EdmType, json: unknown, annotation?: string): boolean | undefined => {
  const form = declaredForm(type)
  return form && hasForm(form, json, annotation)
}

describe('declaredForm', () => {
  it('knows every type except Int32, which the kind of JSON does not show', () => {
    const known = EDM_TYPES.filter((type) => declaredForm(type) !== undefined)
    expect(known).toEqual(EDM_TYPES.filter((type) => type !== 'Int32'))
  })
})

describe('hasForm', () => {
  it.each([
    ['Int64', '5', 'Edm.Int64'],
    ['DateTime', '2026-11-20T00:00:00Z', 'Edm.DateTime'],
    ['Guid', 'c9da6455-213d-42c9-9a79-3e9149a57833', 'Edm.Guid'],
    ['Binary', 'AQI=', 'Edm.Binary'],
    ['String', 'a', undefined],
    ['String', 'a', 'Edm.String'],
    ['Boolean', true, undefined],
    ['Double', 0.5, undefined],
    ['Double', 3, 'Edm.Double'],
  ] as const)('recognizes a %s by %j with the type %s', (type, json, annotation) => {
    expect(has(type, json, annotation)).toBe(true)
  })

  it.each([
    ['Int64', '5', undefined],
    ['Guid', 'c9da6455-213d-42c9-9a79-3e9149a57833', undefined],
    ['String', 'c9da6455-213d-42c9-9a79-3e9149a57833', 'Edm.Guid'],
    ['String', 'a', 'Edm.Unknown'],
    ['Double', 'NaN', 'Edm.Double'],
    ['String', undefined, undefined],
    ['Boolean', null, undefined],
    ['Binary', {}, 'Edm.Binary'],
  ] as const)('finds no %s in %j with the type %s', (type, json, annotation) => {
    expect(has(type, json, annotation)).toBe(false)
  })
})

describe('reading a column', () => {
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
      expect(() => readColumn(aColumn(), raw(json))).toThrow(/"Person\.member" .*Edm\.Duration/)
      expect(() => readColumn(aColumn(), { m: '1', 'm@odata.type': 5 })).toThrow(unreadable)
    })

    it.each(['{}', '{"m":null}'])('R-09: finds nothing in %s', (json) => {
      expect(readColumn(aColumn('String'), raw(json))).toBeUndefined()
    })

    it.each(['toString', 'constructor', '__proto__'])(
      'finds nothing under an absent %s',
      (name) => {
        expect(readColumn({ ...aColumn(), name }, raw('{}'))).toBeUndefined()
      },
    )
  })

  describe('readStored', () => {
    it('returns the stored type even if another type is declared', () => {
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

    it('returns plain and missing members unchanged', () => {
      const raw = parse(`{${KEY}}`)
      expect(revealedRaw([open], raw)).toBe(raw)
      expect(revealedRaw([open, secret], raw)).toEqual(raw)
    })
  })
})
