import {
  ModelError,
  PartitionKey,
  Property,
  RowKey,
  readMembers,
  StoreAs,
  writeMembers,
} from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @StoreAs('e') email?: string
  @Property('Int64') points = 0n
  @Property() get initial(): string {
    return this.lastName.slice(0, 1)
  }
}

describe('writeMembers', () => {
  it('writes the members of the decorators with their types', () => {
    const stored = new DynamicEntity('Smith', 'Jeff')
    writeMembers(
      Object.assign(new Person(), { lastName: 'Smith', firstName: 'Jeff', email: 'a' }),
      stored,
    )
    const types = Object.fromEntries([...stored.properties].map(([name, { type }]) => [name, type]))
    expect(types).toEqual({ e: 'String', points: 'Int64', initial: 'String' })
  })
})

describe('readMembers', () => {
  it('assigns only stored values, widened', () => {
    const person = Object.assign(new Person(), { email: 'kept' })
    readMembers(person, new DynamicEntity('Smith', 'Jeff', { points: 5, initial: 'x' }))
    expect(person).toMatchObject({ email: 'kept', points: 5n, initial: '' })
  })
})

describe.each([
  ['writeMembers', writeMembers],
  ['readMembers', readMembers],
])('%s', (_, map) => {
  it.each([null, 5, 'x', {}, []])('rejects %o, whose class is not mapped', (given) => {
    expect(() => map(given as never, new DynamicEntity('a', 'b'))).toThrow(ModelError)
  })

  it('rejects anything but a DynamicEntity', () => {
    expect(() => map(new Person(), {} as never)).toThrow(ModelError)
    expect(() => map(new Person(), undefined as never)).toThrow(/to a DynamicEntity/)
  })
})
