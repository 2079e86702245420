import {
  checkEntityKey,
  checkKeyText,
  compareKeys,
  forbiddenInKeys,
  MAX_KEY_UNITS,
} from '@rowkey/odata'
import { describe, expect, it } from 'vitest'
import { invalidKey } from '../../support/rejections.ts'

const check = (partitionKey: unknown, rowKey: unknown) => () =>
  checkEntityKey({ partitionKey, rowKey } as never)

describe('checkEntityKey', () => {
  it.each([
    ['', ''],
    [' ', "O'Neil & sons %2F"],
    ['größe', '😀'],
    ['x'.repeat(512), '\u00a0'],
  ])('R-06: accepts %j and %j', (partitionKey, rowKey) => {
    expect(check(partitionKey, rowKey)).not.toThrow()
  })

  it.each(['/', '\\', '#', '?', '\0', '\n', '\u001f', '\u007f', '\u009f'])(
    'R-06: rejects %j in either half',
    (character) => {
      expect(check(`a${character}`, 'b')).toThrow(invalidKey)
      expect(check('a', character)).toThrow(
        /^RowKey must not contain .* at position 0\. Escape it, /,
      )
    },
  )

  it('names the half, the character and its position', () => {
    expect(check('Smith', 'ab/c')).toThrow('it has "/" at position 2.')
    expect(check('a\u0085', 'b')).toThrow('it has U+0085 at position 1.')
    expect(() => check('a', '?')()).toThrow(
      expect.objectContaining({
        name: 'InputError',
        code: 'InvalidEntityKey',
        details: { property: 'RowKey' },
      }),
    )
  })

  it('R-06: rejects 513 UTF-16 units', () => {
    expect(check('x'.repeat(513), '')).toThrow(
      /^PartitionKey has 513 UTF-16 units; the limit is 512\.$/,
    )
  })

  it('rejects half of a surrogate pair', () => {
    expect(check('a', '\udc00')).toThrow(/^RowKey contains half of a surrogate pair/)
  })

  it.each([undefined, null, 5, {}, ['a'], new String('a')])('R-07: rejects %o', (value) => {
    expect(check(value, 'b')).toThrow(/^PartitionKey must be a string; got /)
    expect(check('a', value)).toThrow(/^RowKey must be a string; got /)
  })

  it('rejects undefined as a key', () => {
    expect(() => checkEntityKey(undefined as never)).toThrow(
      'PartitionKey must be a string; got undefined.',
    )
  })
})

describe('checkKeyText', () => {
  it('leaves the rules to the service', () => {
    expect(() =>
      checkKeyText({ partitionKey: 'a/b\\c#d?\n', rowKey: 'x'.repeat(513) }),
    ).not.toThrow()
  })

  it.each([undefined, 5, '\ud800'])('rejects %j, which no request can carry', (value) => {
    const key = { partitionKey: 'a', rowKey: value as string }
    expect(() => checkKeyText(key)).toThrow(
      /^RowKey (must be a string|contains half of a surrogate pair)/,
    )
    expect(() => checkKeyText(undefined as never)).toThrow(
      'PartitionKey must be a string; got undefined.',
    )
  })
})

describe('forbiddenInKeys', () => {
  it('R-06: matches only the characters that a key must not contain', () => {
    const isForbidden = (unit: number) =>
      unit < 0x20 ||
      (unit >= 0x7f && unit < 0xa0) ||
      (unit >= 0xd800 && unit < 0xe000) ||
      '/\\#?'.includes(String.fromCharCode(unit))
    const units = Array.from({ length: 0x10000 }, (_, unit) => unit)
    const matched = units.filter((unit) => forbiddenInKeys.test(String.fromCharCode(unit)))
    expect(matched).toEqual(units.filter(isForbidden))
    for (const unit of matched) expect(check(String.fromCharCode(unit), '')).toThrow(invalidKey)
  })
})

describe('MAX_KEY_UNITS', () => {
  it('R-06: is the length of the longest key', () => {
    expect(check('x'.repeat(MAX_KEY_UNITS), '')).not.toThrow()
    expect(check('x'.repeat(MAX_KEY_UNITS + 1), '')).toThrow(invalidKey)
  })
})

describe('compareKeys', () => {
  it('sorts by PartitionKey, then by RowKey, by UTF-16 units', () => {
    const key = (partitionKey: string, rowKey: string) => ({ partitionKey, rowKey })
    const sorted = [
      key('', ''),
      key('A', 'z'),
      key('a', '1'),
      key('a', '2'),
      key('\ud83d', ''),
      key('\uffff', ''),
    ]
    expect(sorted.toReversed().toSorted(compareKeys)).toEqual(sorted)
    expect(compareKeys(key('a', '1'), key('a', '1'))).toBe(0)
  })
})
