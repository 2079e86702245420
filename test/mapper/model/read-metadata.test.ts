import { Entity, Ignore, PartitionKey, Property, RowKey, StoreAs } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { readMetadata } from '../../../packages/mapper/src/model/class-record.ts'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
  @StoreAs('e') email = ''
  @Ignore() draft = ''
}

@Entity({ name: 'people', create: () => new Customer('x') })
class Customer extends Person {
  @Property('Guid') override email = ''
  @Property() override draft = ''
  constructor(readonly source: string) {
    super()
  }
}

class Special extends Customer {}

describe('readMetadata', () => {
  it('reads every decorated member', () => {
    const { members, name, create } = readMetadata(Person)
    expect([...members.keys()]).toEqual(['lastName', 'firstName', 'email', 'draft'])
    expect(name).toBeUndefined()
    expect(create).toBeUndefined()
  })

  it('R-94: adds the rules of a subclass to those of its base classes', () => {
    const { members } = readMetadata(Customer)
    expect(members.get('email')).toMatchObject({ storedName: 'e', type: 'Guid' })
    expect(members.get('draft')?.decorators).toEqual(['Property'])
    expect(members.get('lastName')?.decorators).toEqual(['PartitionKey'])
  })

  it('leaves the base class as it was', () => {
    expect(readMetadata(Person).members.get('email')?.type).toBeUndefined()
    expect(readMetadata(Person).name).toBeUndefined()
  })

  it("inherits the table's name, but not `create`", () => {
    expect(readMetadata(Customer).create).toBeTypeOf('function')
    expect(readMetadata(Special)).toMatchObject({
      name: 'people',
      create: undefined,
      inheritsCreate: true,
    })
  })

  it('finds nothing on a class without decorators', () => {
    expect(readMetadata(class {}).members.size).toBe(0)
  })
})
