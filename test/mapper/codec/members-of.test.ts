import { ModelError, modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { membersOf } from '../../../packages/mapper/src/codec/members-of.ts'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}

describe('membersOf', () => {
  it('is the object itself', () => {
    const jeff = new Person()
    expect(membersOf(modelOf(Person), jeff)).toBe(jeff)
  })

  it.each([null, undefined, 'Jeff', 5])('refuses %o, naming the class', (given) => {
    expect(() => membersOf(modelOf(Person), given)).toThrow(ModelError)
    expect(() => membersOf(modelOf(Person), given)).toThrow(/^Person: An entity is an object/)
  })
})
