import { describeKind } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('describeKind', () => {
  it('says what kind of value it is, and nothing of its content', () => {
    expect(describeKind('secret')).toBe('a value of type string')
    expect(describeKind(['secret'])).toBe('an array')
    expect(describeKind(null)).toBe('null')
    expect(describeKind(undefined)).toBe('undefined')
  })
})
