import { key } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { partsIn, wholeKey, wholeKeyOf } from '../../../packages/mapper/src/keys/key-codec.ts'

const order = key`0002_${'orderNo:8'}_${'line:3'}`

describe('KeyCodec', () => {
  it('R-13: prints numbers in a fixed width', () => {
    expect(order.print({ orderNo: 123, line: 4 })).toBe('0002_00000123_004')
  })

  it.each([
    '',
    '0001_00000123_004',
    '0002_123_004',
    '0002_00000123_004x',
    '0002_00000123',
    '0002_0000012x_004',
    'x0002_00000123_004',
  ])('rejects %j, which has another form', (text) => {
    expect(() => order.parse(text)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'KeyMismatch' }),
    )
    expect(() => order.parse(text)).toThrow(/does not have the form 0002_/)
  })

  it('says which text is missing after a part', () => {
    const place = key`${'state'};${'city'}`
    expect(() => place.parse('WA')).toThrow("its part state is not followed by ';'.")
  })

  it('rejects a key that it would print in another way', () => {
    const person = key`${'id:guid'};${'name:escaped'}`
    const id = '0b0f4c8e-33a5-4a5b-9d0e-7f0a3d1c2b4a'
    expect(person.parse(`${id};a!2fb`)).toEqual({ id, name: 'a/b' })
    expect(() => person.parse(`${id.toUpperCase()};a`)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'KeyMismatch' }),
    )
    expect(() => person.parse(`${id};!61`)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'KeyMismatch' }),
    )
  })

  it('R-152: prints the common beginning of all keys with some values', () => {
    expect(order.prefix({})).toBe('0002_')
    expect(order.prefix({ orderNo: 7 })).toBe('0002_00000007_')
    expect(order.prefix({ orderNo: 7, line: 1 })).toBe('0002_00000007_001')
    expect(() => order.prefix({ line: 1 })).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidKeyPart' }),
    )
    expect(() => order.prefix({ line: 1 })).toThrow(/after orderNo/)
  })

  it.each<[string, object, RegExp]>([
    ['a missing value', { line: 1 }, /^orderNo: It is undefined, and the key needs it/],
    ['null', { orderNo: null, line: 1 }, /It is null/],
    [
      'a fraction',
      { orderNo: 1.5, line: 1 },
      /whole number from 0 to 99999999, .*; got the number 1\.5\.$/,
    ],
    ['a negative number', { orderNo: -1, line: 1 }, /whole number from 0 .*; got the number -1\.$/],
    ['too many digits', { orderNo: 1e8, line: 1 }, /to 99999999/],
    ['text', { orderNo: '7', line: 1 }, /got a string of 1 UTF-16 units/],
    ['an object', { orderNo: {}, line: 1 }, /got an object/],
    ['an unsafe number', { orderNo: 2 ** 60, line: 1 }, /whole number/],
  ])('rejects %s', (_what, values, message) => {
    const given = values as { orderNo: number; line: number }
    expect(() => order.print(given)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidKeyPart' }),
    )
    expect(() => order.print(given)).toThrow(message)
  })

  it('leaves out hashed parts', () => {
    const member = key`${'mail:hash'}_${'no:4'}`
    const text = member.print({ mail: 'jeff@contoso.com', no: 7 })
    expect(member.parse(text)).toEqual({ no: 7 })
  })
})

describe('wholeKey', () => {
  it('prints the property as it is, whatever its name', () => {
    expect(wholeKey('a:8').print({ 'a:8': 'x;y' })).toBe('x;y')
    expect(wholeKeyOf(wholeKey('a:8'))).toBe('a:8')
    expect(wholeKeyOf(key`${'name'}`)).toBe('name')
  })

  it.each([key``, key`a`, key`a${'b'}`, key`${'b'};`, key`${'b:8'}`, key`${'b:escaped'}`])(
    'does not match %s',
    (other) => {
      expect(wholeKeyOf(other)).toBeUndefined()
    },
  )
})

describe('a date in a key', () => {
  const log = key`${'day:date'}_${'at:time'}`
  const at = new Date('2026-11-20T10:00:00Z')
  const day = new Date('2026-11-20')

  it.each([
    [
      { day: new Date('yesterday'), at },
      /^day: It must be a Date .* midnight UTC, .* an invalid Date\.$/,
    ],
    [{ day: at, at }, /^day: .*; got the Date 2026-11-20T10:00:00\.000Z\.$/],
    [
      { day, at: new Date(Number.NaN) },
      /^at: It must be a Date from 1601 to 9999,.* an invalid Date\.$/,
    ],
    [{ day: '2026-11-20', at }, /^day: .*; got a string of 10 UTF-16 units\.$/],
  ])('is called invalid by its name: %o', (values, message) => {
    expect(() => log.print(values as never)).toThrow(
      expect.objectContaining({ code: 'InvalidKeyPart', message: expect.stringMatching(message) }),
    )
  })

  it('that cannot be read is called that', () => {
    expect(() => log.parse('2026-13-45_2026-11-20T10:00:00.0000000Z')).toThrow(
      /^The key "2026-13-45_.*: its part day is not a Date from 1601 to 9999 at midnight UTC\./,
    )
    expect(() => log.parse("2026-11-20_10 o'clock")).toThrow(/: its part at is not a Date/)
  })
})

describe('partsIn', () => {
  it('finds the parts of both keys that can be read back', () => {
    const parts = partsIn({
      partitionKey: key`p${'state'};${'mail:hash'}`,
      rowKey: key`${'no:8'}`,
    })
    expect(parts.map(({ property }) => property)).toEqual(['state', 'no'])
  })
})
