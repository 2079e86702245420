import { EDM_TYPES, type EdmType, parseEntityJson, type RawEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import {
  furtherMember,
  memberJson,
  readMember,
  storedMember,
  undeclaredMembers,
  widen,
} from '../../../packages/mapper/src/member/stored-member.ts'
import { unreadable } from '../../support/rejections.ts'

describe('storedMember', () => {
  it('holds the JSON texts of a name', () => {
    const { name, annotation, member } = storedMember('cea')
    expect([name, annotation, member.plain]).toEqual(['cea', 'cea@odata.type', ',"cea":'])
  })
})

const read = (raw: Record<string, unknown>, name = 'm') =>
  readMember(storedMember(name), raw, 'Person.member')

describe('readMember', () => {
  it('is a value with the type that its annotation or its JSON shows', () => {
    expect(read({ m: 3 })).toEqual({ type: 'Int32', value: 3 })
    expect(read({ m: '3', 'm@odata.type': 'Edm.Int64' })).toEqual({ type: 'Int64', value: 3n })
  })

  it('is undefined for an absent or null member', () => {
    expect(read({})).toBeUndefined()
    expect(read({ m: null })).toBeUndefined()
    expect(read({}, 'toString')).toBeUndefined()
    expect(read({}, '__proto__')).toBeUndefined()
  })

  it('rejects a type that tables do not know', () => {
    expect(() => read({ m: 3, 'm@odata.type': 'Edm.Byte' })).toThrow(unreadable)
    expect(() => read({ m: 3, 'm@odata.type': 'Edm.Byte' })).toThrow(/Person\.member.*'Edm\.Byte'/)
  })
})

describe('widen', () => {
  it.each(EDM_TYPES)('returns a value of type %s unchanged', (type) => {
    const value = new Date(0)
    expect(widen({ type, value }, type)).toBe(value)
  })

  it('reads an Int32 as an Int64 and as a Double', () => {
    expect(widen({ type: 'Int32', value: -5 }, 'Int64')).toBe(-5n)
    expect(widen({ type: 'Int32', value: -5 }, 'Double')).toBe(-5)
  })

  it('reads no other type as a declared type', () => {
    const exact = new Set(['Int32>Int64', 'Int32>Double'])
    const pairs = EDM_TYPES.flatMap((from) => EDM_TYPES.map((to): [EdmType, EdmType] => [from, to]))
    for (const [from, to] of pairs) {
      if (from === to || exact.has(`${from}>${to}`)) continue
      expect(widen({ type: from, value: 1 }, to)).toBeUndefined()
    }
  })
})

describe('memberJson', () => {
  const member = furtherMember('x')

  it('writes the type where the JSON alone does not show it', () => {
    expect(memberJson(member, 'Int64', 5n)).toBe(',"x@odata.type":"Edm.Int64","x":"5"')
    expect(memberJson(member, 'Double', 5)).toBe(',"x@odata.type":"Edm.Double","x":5.0')
  })

  it('omits the type where the JSON shows it', () => {
    expect(memberJson(member, 'Int32', 5)).toBe(',"x":5')
    expect(memberJson(member, 'String', 'a"b')).toBe(',"x":"a\\"b"')
  })
})

describe('members that a class does not declare', () => {
  const raw = parseEntityJson(
    '{"odata.etag":"x","PartitionKey":"a","RowKey":"b","age":5,"price":3.0,"zero":-0.0,' +
      '"big@odata.type":"Edm.Int64","big":"9007199254740993","none":null,' +
      '"when@odata.type":"Edm.DateTime","when":"2017-11-10T02:46:55.7383596Z"}',
  ) as RawEntity

  describe('undeclaredMembers', () => {
    it('writes every stored property with its exact type and value', () => {
      expect(undeclaredMembers(raw, new Set(['PartitionKey', 'RowKey', 'age']))).toBe(
        ',"price@odata.type":"Edm.Double","price":3.0' +
          ',"zero@odata.type":"Edm.Double","zero":-0.0' +
          ',"big@odata.type":"Edm.Int64","big":"9007199254740993"' +
          ',"when@odata.type":"Edm.DateTime","when":"2017-11-10T02:46:55.7383596Z"',
      )
    })

    it('writes nothing when the class declares everything', () => {
      expect(undeclaredMembers({ age: 5 }, new Set(['age']))).toBe('')
    })
  })
})
