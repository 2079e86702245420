import { EntityJsonError, isRawEntity, parseEntityObject } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('parseEntityObject', () => {
  it('gives the members, whole Doubles annotated', () => {
    expect(parseEntityObject('{"RowKey":"b","x":3.0}')).toEqual({
      RowKey: 'b',
      'x@odata.type': 'Edm.Double',
      x: 3,
    })
  })

  it.each(['[]', 'null', '3', '"a"', '', '{'])('refuses %j', (text) => {
    expect(() => parseEntityObject(text)).toThrow(EntityJsonError)
  })
})

describe('isRawEntity', () => {
  it('is true of objects alone', () => {
    expect([{}, [], null, 3, 'a', undefined].map(isRawEntity)).toEqual([
      true,
      ...Array(5).fill(false),
    ])
  })
})
