import { modelOf, PartitionKey, RowKey } from '@rowkey/mapper'
import { InputError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { checkDeclared, membersOf } from '../../../packages/mapper/src/codec/check-declared.ts'
import { Customer } from '../customer.ts'
import { Order } from '../union/store.ts'

const check = (members: Record<string, unknown>) =>
  checkDeclared(modelOf(Customer), members, new Set(['age']))

describe('checkDeclared', () => {
  it('rejects a value in a member that the class does not declare', () => {
    expect(() => check({ age: 5, nickname: '' })).toThrow(InputError)
    expect(() => check({ nickname: 0 })).toThrow(
      /^Customer\.nickname has a value, .*@Property\(\).*@Ignore\(\)/,
    )
    expect(() => check({ nickname: 0 })).toThrow(
      expect.objectContaining({
        code: 'UndeclaredProperty',
        details: { property: 'Customer.nickname' },
      }),
    )
  })

  it('names the schema of a model without a class', () => {
    expect(() => checkDeclared(Order, { extra: 1 }, new Set())).toThrow(
      'orders.extra has a value, but the model does not declare it, so it would not be stored. Add it to the schema, or remove it.',
    )
  })

  it('takes members that would not be stored anyway', () => {
    expect(() => check({ age: 5, a: undefined, b: null, greet: () => 'hello' })).not.toThrow()
    expect(() => check(Object.create({ inherited: 5 }))).not.toThrow()
  })
})

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
