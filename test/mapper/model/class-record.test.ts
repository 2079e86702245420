import { describe, expect, it } from 'vitest'
import {
  addRule,
  findRecord,
  recordIn,
  recordOf,
} from '../../../packages/mapper/src/model/class-record.ts'

describe('recordOf', () => {
  it('makes one record for each class, and none for its subclasses', () => {
    class Base {}
    class Derived extends Base {}
    const record = recordOf(Base)
    expect(recordOf(Base)).toBe(record)
    expect(findRecord(Base)).toBe(record)
    expect(findRecord(Derived)).toBeUndefined()
    expect(recordOf(Derived)).not.toBe(record)
  })

  it('keeps the record where standard decorators keep their metadata', () => {
    class Base {}
    const record = recordOf(Base)
    const metadata = (Base as unknown as Record<symbol, object>)[
      (Symbol as { metadata?: symbol }).metadata as symbol
    ]
    expect(recordIn(metadata as object)).toBe(record)
  })

  it('keeps the record under a registered symbol, which every copy of the package knows', () => {
    class Base {}
    const record = recordOf(Base)
    const metadata = (Base as unknown as Record<symbol, Record<symbol, unknown>>)[
      (Symbol as { metadata?: symbol }).metadata as symbol
    ]
    expect(metadata?.[Symbol.for('rowkey.record')]).toBe(record)
  })

  it('leaves the class without enumerable traces', () => {
    class Base {}
    recordOf(Base)
    expect(Object.keys(Base)).toEqual([])
  })
})

describe('addRule', () => {
  it('adds to the rules of the member', () => {
    class Base {}
    const record = recordOf(Base)
    addRule(record, 'email', { decorators: ['Property'] })
    addRule(record, 'email', { decorators: ['StoreAs'], storedName: 'cea' })
    expect([...record.members.keys()]).toEqual(['email'])
    expect(record.members.get('email')?.decorators).toEqual(['Property', 'StoreAs'])
  })
})
