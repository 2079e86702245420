import { describe, expect, it } from 'vitest'
import { readMember } from '../../../packages/mapper/src/codec/read-member.ts'
import { storedMember } from '../../../packages/mapper/src/codec/stored-member.ts'
import { unreadable } from '../../support/rejections.ts'

const read = (raw: Record<string, unknown>, name = 'm') =>
  readMember(storedMember(name), raw, 'Person.member')

describe('readMember', () => {
  it('is a value with the type that its annotation or its JSON shows', () => {
    expect(read({ m: 3 })).toEqual({ type: 'Int32', value: 3 })
    expect(read({ m: '3', 'm@odata.type': 'Edm.Int64' })).toEqual({ type: 'Int64', value: 3n })
  })

  it('is nothing for what is absent or null, whatever its name', () => {
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
