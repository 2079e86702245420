import { describe, expect, it } from 'vitest'
import { describeKind } from '../../../packages/mapper/src/errors/describe-kind.ts'

describe('describeKind', () => {
  it('says what kind of value it is, and nothing of its content', () => {
    expect(describeKind('secret')).toBe('a value of type string')
    expect(describeKind(['secret'])).toBe('an array')
    expect(describeKind(null)).toBe('null')
    expect(describeKind(undefined)).toBe('a value of type undefined')
  })
})
