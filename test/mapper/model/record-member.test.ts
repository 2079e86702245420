import { ModelError } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import {
  findRecord,
  recordIn,
  recordMember,
} from '../../../packages/mapper/src/model/class-record.ts'

const rule = { decorators: ['Property'] as const }
const context = { kind: 'field', name: 'age', static: false, private: false }

describe('recordMember', () => {
  it('writes to the metadata of a standard decorator', () => {
    const metadata = {}
    recordMember(undefined, { ...context, metadata }, rule)
    expect(recordIn(metadata).members.get('age')).toEqual(rule)
  })

  it('treats a getter and its setter as one member', () => {
    const metadata = {}
    for (const kind of ['getter', 'setter']) {
      const named = { decorators: ['StoreAs'] as const, storedName: kind }
      recordMember(undefined, { ...context, kind, metadata }, named)
    }
    expect(recordIn(metadata).members.get('age')?.conflict).toBe(
      "@StoreAs gives it two stored names, 'setter' and 'getter'",
    )
  })

  it('waits for the first instance where the compiler gives no metadata', () => {
    class Person {}
    const initializers: ((this: object) => void)[] = []
    const addInitializer = (each: () => void) => initializers.push(each)
    recordMember(undefined, { ...context, addInitializer }, rule)
    expect(findRecord(Person)).toBeUndefined()
    initializers[0]?.call(new Person())
    expect(findRecord(Person)?.members.get('age')).toEqual(rule)
  })

  it('lets a subclass override its base class where the compiler gives no metadata', () => {
    class Person {}
    for (const storedName of ['base', 'own']) {
      const addInitializer = (each: (this: object) => void) => each.call(new Person())
      recordMember(undefined, { ...context, addInitializer }, { ...rule, storedName })
    }
    const age = findRecord(Person)?.members.get('age')
    expect([age?.storedName, age?.conflict]).toEqual(['own', undefined])
  })

  it('writes to the class of the prototype that a legacy decorator gets', () => {
    class Person {}
    recordMember(Person.prototype, 'age', rule)
    expect(findRecord(Person)?.members.get('age')?.decorators).toEqual(['Property'])
  })

  it.each([
    ['a static member', { ...context, static: true }],
    ['a private member', { ...context, private: true, name: '#age' }],
    ['a member named by a symbol', { ...context, name: Symbol('age') }],
  ])('rejects %s of a standard class', (_what, wrong) => {
    expect(() => recordMember(undefined, wrong, rule)).toThrow(ModelError)
    expect(() => recordMember(undefined, wrong, rule)).toThrow(
      /@Property .* public instance members/,
    )
  })

  it.each([
    ['one descriptor, as of the proposal of 2018', { kind: 'field', key: 'age', placement: 'own' }],
    ['nothing', undefined],
  ])('names the setting of the compiler when a decorator receives %s', (_what, target) => {
    expect(() => recordMember(target, undefined, rule)).toThrow(
      expect.objectContaining({
        name: 'ModelError',
        message: expect.stringMatching(
          /^@Property was compiled neither as a standard nor as a legacy decorator\..*experimentalDecorators.*2023-11.*rowkey\/vite.*decorate\(\)/,
        ),
      }),
    )
  })

  it('rejects a static member and a symbol of a legacy class', () => {
    class Person {}
    expect(() => recordMember(Person, 'age', rule)).toThrow(/^Person\.age: @Property is on/)
    expect(() => recordMember(Person.prototype, Symbol('age'), rule)).toThrow(ModelError)
  })
})
