import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkDistinctMembers } from '../../../packages/local/src/entity/decode-properties.ts'

const code = (expected: string) => expect.objectContaining({ status: 400, code: expected })

describe('checkDistinctMembers', () => {
  it.each([
    '{}',
    '{"a":1,"b":2}',
    '{ "a" : "b" , "b" : "a" }',
    '{"a":"\\"a\\":","b":"a:"}',
    '{"a":"\\\\","b":"x"}',
    '{"a":"b","A":"b"}',
  ])('accepts %s', (json) => {
    JSON.parse(json)
    expect(() => checkDistinctMembers(json)).not.toThrow()
  })

  it.each([
    '{"a":1,"a":2}',
    '{"a":1, "\\u0061" :2}',
    '{"a":"\\\\","a":1}',
    '{"a":"x","b":0,"a":"x"}',
  ])('rejects %s', (json) => {
    JSON.parse(json)
    expect(() => checkDistinctMembers(json)).toThrow(code('DuplicatePropertiesSpecified'))
  })

  it.each(['PartitionKey', 'RowKey'])('rejects a second %s with its own code', (name) => {
    expect(() => checkDistinctMembers(`{"${name}":"a","${name}":"a"}`)).toThrow(
      code('DuplicateKeyPropertySpecified'),
    )
  })

  it('accepts every object that JSON.stringify writes', () => {
    const text = fc.string({
      unit: fc.constantFrom('"', '\\', ':', ',', '{', 'a', '\ud800'),
      maxLength: 6,
    })
    fc.assert(
      fc.property(
        fc.dictionary(text, text, { maxKeys: 6 }),
        fc.constantFrom(undefined, 2),
        (object, indent) => {
          expect(() => checkDistinctMembers(JSON.stringify(object, null, indent))).not.toThrow()
        },
      ),
    )
  })
})
