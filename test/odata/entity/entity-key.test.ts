import { checkEntityKey, checkKeyText, compareKeys, EntityKeyError } from '@rowkey/odata'
import { describe, expect, it } from 'vitest'

const check = (partitionKey: unknown, rowKey: unknown) => () =>
  checkEntityKey({ partitionKey, rowKey } as never)

describe('checkEntityKey', () => {
  it.each([
    ['', ''],
    [' ', "O'Neil & sons %2F"],
    ['größe', '😀'],
    ['x'.repeat(512), '\u00a0'],
  ])('R-06: takes %j and %j', (partitionKey, rowKey) => {
    expect(check(partitionKey, rowKey)).not.toThrow()
  })

  it.each(['/', '\\', '#', '?', '\0', '\n', '\u001f', '\u007f', '\u009f'])(
    'R-06: refuses %j in either half',
    (character) => {
      expect(check(`a${character}`, 'b')).toThrow(EntityKeyError)
      expect(check('a', character)).toThrow(/^RowKey is refused: .* at 0; escape it first\.$/)
    },
  )

  it('names the half, the character and its place', () => {
    expect(check('Smith', 'ab/c')).toThrow('this has "/" at 2')
    expect(check('a\u0085', 'b')).toThrow('this has U+0085 at 1')
    expect(() => check('a', '?')()).toThrow(
      expect.objectContaining({
        property: 'RowKey',
        code: 'InvalidEntityKey',
        name: 'EntityKeyError',
      }),
    )
  })

  it('R-06: refuses 513 UTF-16 units', () => {
    expect(check('x'.repeat(513), '')).toThrow('at most 512 UTF-16 units, and this has 513')
  })

  it('refuses half of a surrogate pair', () => {
    expect(check('a', '\udc00')).toThrow('surrogate pair')
  })

  it.each([undefined, null, 5, {}, ['a'], new String('a')])('R-07: refuses %o', (value) => {
    expect(check(value, 'b')).toThrow(/^PartitionKey is refused: it must be a string/)
    expect(check('a', value)).toThrow(/^RowKey is refused: it must be a string/)
  })

  it('refuses no key at all', () => {
    expect(() => checkEntityKey(undefined as never)).toThrow('this is undefined')
  })
})

describe('checkKeyText', () => {
  it('leaves the rules to the service', () => {
    expect(() =>
      checkKeyText({ partitionKey: 'a/b\\c#d?\n', rowKey: 'x'.repeat(513) }),
    ).not.toThrow()
  })

  it.each([undefined, 5, '\ud800'])('refuses %j, which no request can carry', (value) => {
    const key = { partitionKey: 'a', rowKey: value as string }
    expect(() => checkKeyText(key)).toThrow(/^RowKey is refused: /)
    expect(() => checkKeyText(undefined as never)).toThrow('this is undefined')
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
