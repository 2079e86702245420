import { modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { membersOf } from '../../../packages/mapper/src/codec/members-of.ts'

class Person {
  @PartitionKey() lastName = ''
  @RowKey() firstName = ''
}

describe('membersOf', () => {
  it('returns the object itself', () => {
    const jeff = new Person()
    expect(membersOf(modelOf(Person), jeff)).toBe(jeff)
  })

  it.each([null, undefined, 'Jeff', 5])('rejects %o, naming the class', (given) => {
    expect(() => membersOf(modelOf(Person), given)).toThrow(InputError)
    expect(() => membersOf(modelOf(Person), given)).toThrow(
      /^An entity of Person must be an object; got /,
    )
  })
})
