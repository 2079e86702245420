import { describe, expect, it } from 'vitest'
import { readMembers } from '../../../packages/local/src/entity/decode-properties.ts'

describe('readMembers', () => {
  it('R-08: separates a whole Double from an Int32, with or without blanks', () => {
    expect(readMembers('{"a":5.0,"b": 5 , "c" : 1E3}')).toEqual({
      'a@odata.type': 'Edm.Double',
      a: 5,
      b: 5,
      'c@odata.type': 'Edm.Double',
      c: 1000,
    })
  })

  it('annotates a fraction that is lost, because it is beyond the digits of a Double', () => {
    const members = { 'a@odata.type': 'Edm.Double', a: 1, 'b@odata.type': 'Edm.Double', b: 0 }
    expect(readMembers(`{"a":1.${'0'.repeat(20)}1,"b":0.${'0'.repeat(400)}1}`)).toEqual(members)
  })

  it.each(['', 'x', '[]', 'null', '1', '"a"', '{', '{"a":1}}', '{"a":NaN}'])(
    'rejects the body %j',
    (body) => {
      expect(() => readMembers(body)).toThrow(
        expect.objectContaining({ status: 400, code: 'InvalidInput' }),
      )
    },
  )

  it('reads millions of nested arrays without an overflow', () => {
    const body = '['.repeat(1_000_000)
    expect(() => readMembers(body)).toThrow(
      expect.objectContaining({ status: 400, code: 'InvalidInput' }),
    )
  })
})
