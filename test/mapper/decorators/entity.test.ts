import { Entity, ModelError, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

@Entity('people')
class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}

@Entity({ name: 'employees', create: () => new Employee('Sales', 7) })
class Employee {
  @PartitionKey() department: string
  @RowKey() id: string
  constructor(department: string, id: number) {
    this.department = department
    this.id = id.toFixed()
  }
}

@Entity()
class Nameless extends Person {}

describe('@Entity', () => {
  it('sets the name of the table', () => {
    expect(modelOf(Person).name).toBe('people')
    expect(modelOf(Person).class).toBe(Person)
  })

  it.each([3, null, true])('rejects %s in place of a name or options', (given) => {
    expect(() => Entity(given as never)).toThrow(/@Entity has one argument: the table's name/)
  })

  it('R-102: makes instances with create when the constructor needs arguments', () => {
    const made = modelOf(Employee).create()
    expect(made).toBeInstanceOf(Employee)
    expect(made.id).toBe('7')
    expect(modelOf(Employee).name).toBe('employees')
  })

  it('inherits the name of the table from the base class', () => {
    expect(modelOf(Nameless).name).toBe('people')
    expect(modelOf(Nameless).create()).toBeInstanceOf(Nameless)
  })

  it('rejects a second @Entity on the same class', () => {
    const twice = () => {
      @Entity('one')
      @Entity('two')
      class Twice extends Person {}
      return Twice
    }
    expect(twice).toThrow(ModelError)
    expect(twice).toThrow('Twice: @Entity is on the class twice. Keep one, with all options.')
  })

  it('rejects options after the name, instead of ignoring them', () => {
    const decorator = Entity as (...values: unknown[]) => unknown
    expect(() => decorator('people', { signing: undefined })).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidOptionValue' }),
    )
  })

  it('does not change the class', () => {
    expect(new Person()).toEqual({ lastName: '', firstName: '' })
    expect(Object.keys(Person)).toEqual([])
  })
})
