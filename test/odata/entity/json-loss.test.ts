import { findJsonLoss } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

describe('findJsonLoss', () => {
  it.each([
    ['two members of one name', '{"t":"\\"n\\":1","n" :1,"n":2}', '"n" has two values.'],
    ['a name that is also written with an escape', '{"n":1,"\\u006e":2}', '"n" has two values.'],
    ['two members around an object', '{"n":{"n":1},\n"n":2}', '"n" has two values.'],
    [
      'a number with more digits than a Double',
      '{"t":"1,2",\n"n":9007199254740993}',
      '"n" has a number that would be rounded. Write an Int64 as text with its type: "n@odata.type":"Edm.Int64","n":"9007199254740993".',
    ],
    ['one below zero', '[{"a":1},\n{"n":-9007199254740993}]', '"n":"-9007199254740993".'],
    [
      'one beside a number beyond a Double',
      `{"m":${'9'.repeat(400)},\n"n":9007199254740993}`,
      '"n":"9007199254740993".',
    ],
    [
      'one beside the type of another',
      '{"m@odata.type":"Edm.Double","m":9007199254740993,"o":[{"m":1}],\n"n":9007199254740993}',
      '"n" has a number',
    ],
  ])('names %s', (_, text, reason) => {
    const line = text.split('\n').length
    expect(findJsonLoss(text)).toEqual({ line, reason: expect.stringContaining(reason) })
  })

  it.each([
    '{"n":9007199254740992,"m":1.15e18,"o":9007199254740993.5,"t":"9007199254740993"}',
    '{"n@odata.type":"Edm.Double","n":9007199254740997}',
    '{"n":9007199254740997,"n@odata.type":"Edm.Double"}',
    `{"n":${'9'.repeat(400)}}`,
    '[{"n":1},{"n":2,"o":{"n":3}}]',
    '{"n":"n","t":"\\"n\\":","o":"}"}',
    '[]',
  ])('finds nothing in %s', (text) => {
    expect(findJsonLoss(text)).toBeUndefined()
  })
})
