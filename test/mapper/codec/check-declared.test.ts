import { ModelError, modelOf } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { checkDeclared } from '../../../packages/mapper/src/codec/check-declared.ts'
import { Customer } from '../customer.ts'

const check = (members: Record<string, unknown>) =>
  checkDeclared(modelOf(Customer), members, new Set(['age']))

describe('checkDeclared', () => {
  it('refuses a value on a member that the class does not speak of', () => {
    expect(() => check({ age: 5, nickname: '' })).toThrow(ModelError)
    expect(() => check({ nickname: 0 })).toThrow(
      /^Customer\.nickname: .*@Property\(\).*@Ignore\(\)/,
    )
  })

  it('takes what would not be stored anyway', () => {
    expect(() => check({ age: 5, a: undefined, b: null, greet: () => 'hello' })).not.toThrow()
    expect(() => check(Object.create({ inherited: 5 }))).not.toThrow()
  })
})
