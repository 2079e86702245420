import {
  Entity,
  Operation,
  type OperationResult,
  PartitionKey,
  Property,
  RowKey,
  type Table,
} from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import { describe, expectTypeOf, it } from 'vitest'

@Entity('people')
class Person {
  @PartitionKey() lastName!: string
  @RowKey() firstName!: string
  @Property('Int32') age?: number
}

class Stone {
  weight = 1
  color = 'grey'
}

declare const people: Table<Person>
declare const rows: Table<DynamicEntity>
declare const jeff: Person
declare const row: DynamicEntity

describe('execute', () => {
  it('infers the result of each kind of operation', () => {
    expectTypeOf(people.execute(Operation.merge(jeff))).resolves.toEqualTypeOf<
      OperationResult<Person>
    >()
    expectTypeOf(people.execute(Operation.delete(jeff))).resolves.toEqualTypeOf<
      OperationResult<undefined>
    >()
    expectTypeOf(people.execute(Operation.retrieve('Smith', 'Jeff'))).resolves.toEqualTypeOf<
      OperationResult<Person | undefined>
    >()
    expectTypeOf(rows.execute(Operation.insert(row))).resolves.toEqualTypeOf<
      OperationResult<DynamicEntity>
    >()
  })

  it('infers the result of each operation in a list', () => {
    const results = people.execute([Operation.insert(jeff), Operation.delete(['a', 'b'])])
    expectTypeOf(results).resolves.toEqualTypeOf<
      readonly [OperationResult<Person>, OperationResult<undefined>]
    >()
    const many = [jeff].map((each) => Operation.merge(each))
    expectTypeOf(people.execute(many)).resolves.toEqualTypeOf<readonly OperationResult<Person>[]>()
  })

  it('accepts only operations on its own entities', () => {
    // @ts-expect-error a Stone is not a Person
    void people.execute(Operation.insert(new Stone()))
    // @ts-expect-error a DynamicEntity is not a Person
    void people.execute([Operation.insert(jeff), Operation.replace(row)])
    // @ts-expect-error an entity is not an operation
    void people.execute(jeff)
    // @ts-expect-error a key has two halves
    Operation.retrieve('Smith')
    // @ts-expect-error an insert takes no ETag
    Operation.insert(jeff, { etag: '*' })
    // @ts-expect-error a number is not an entity
    Operation.merge(5)
  })
})

describe('modify', () => {
  it('passes an entity to the function, which returns nothing', () => {
    const key = ['Smith', 'Jeff'] as const
    void people.modify(key, (person) => {
      expectTypeOf(person).toEqualTypeOf<Person>()
      person.age = 5
    })
    void people.modify(key, async (person) => {
      person.age = await Promise.resolve(5)
    })
    // @ts-expect-error another object would get lost
    void people.modify(key, (person) => ({ ...person, age: 5 }))
    // @ts-expect-error a promise of another object, too
    void people.modify(key, async (person) => ({ ...person, age: 5 }))
    expectTypeOf(people.modify(key, () => {})).resolves.toEqualTypeOf<Person>()
    expectTypeOf(people.reload(jeff)).resolves.toEqualTypeOf<boolean>()
    // @ts-expect-error a key is not an entity
    void people.reload(key)
  })
})
