import { DateTimeValue } from '@rowkey/odata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findKeyFormat } from '../../../packages/mapper/src/keys/find-key-format.ts'
import { anyText } from '../../support/any-text.ts'

const text = anyText()
const date = fc
  .tuple(
    fc.date({
      min: new Date('1601-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59.999Z'),
      noInvalidDate: true,
    }),
    fc.integer({ min: 0, max: 9_999 }),
  )
  .map(([day, ticks]) => new DateTimeValue(day.getTime(), ticks))
const day = fc
  .integer({ min: -134_774, max: 2_932_896 })
  .map((number) => new DateTimeValue(number * 86_400_000))

const formats: readonly [string, fc.Arbitrary<unknown>][] = [
  ['', text],
  ['escaped', text],
  ['base64url', text],
  ['8', fc.integer({ min: 0, max: 99_999_999 })],
  ['15', fc.integer({ min: 0, max: 999_999_999_999_999 })],
  ['3n', fc.bigInt({ min: 0n, max: 999n })],
  ['19n', fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })],
  ['int32', fc.integer()],
  ['int64', fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })],
  ['date', day],
  ['time', date],
  ['inverted', date],
  ['guid', fc.uuid()],
  ['hex', fc.uint8Array()],
]

function formatOf(name: string) {
  const format = findKeyFormat(name)
  if (format === undefined) throw new TypeError(`no format ${name}`)
  return format
}

/** By the value itself; dates by their ticks. */
function compare(one: unknown, other: unknown): number {
  const [a, b] = [one, other].map((each) =>
    each instanceof DateTimeValue ? each.ticks : each,
  ) as [string, string]
  return a < b ? -1 : a > b ? 1 : 0
}

describe('key formats', () => {
  it.each(formats)('parse what they print, as %j', (name, values) => {
    const format = formatOf(name)
    fc.assert(
      fc.property(values, (value) => {
        const printed = format.print(value, ';')
        expect(printed).toBeTypeOf('string')
        const parsed = format.parse?.(printed as string)
        expect(parsed).toEqual(value)
        if (value instanceof DateTimeValue)
          expect((parsed as DateTimeValue).ticks).toBe(value.ticks)
        if (format.length !== undefined) expect(printed).toHaveLength(format.length)
      }),
    )
  })

  it.each(formats.filter(([name]) => formatOf(name).order !== undefined))(
    'R-13: keep the order, as %j',
    (name, values) => {
      const format = formatOf(name)
      const sign = format.order === 'descending' ? -1 : 1
      fc.assert(
        fc.property(values, values, (one, other) => {
          const printed = [one, other].map((each) => format.print(each, ';')) as [string, string]
          expect(Math.sign(compare(...printed)) * sign || 0).toBe(Math.sign(compare(one, other)))
        }),
      )
    },
  )

  it.each(['', 'escaped'])('keep prefixes, as %j', (name) => {
    const format = formatOf(name)
    fc.assert(
      fc.property(text, text, (one, other) => {
        const whole = format.print(one + other, ';') as string
        expect(whole.startsWith(format.print(one, ';') as string)).toBe(true)
      }),
    )
  })

  it.each([
    ['8', 7, '00000007'],
    ['8n', 7n, '00000007'],
    ['int32', -(2 ** 31), '0000000000'],
    ['int32', 0, '2147483648'],
    ['int64', 0n, '09223372036854775808'],
    ['date', new Date('2026-11-20'), '2026-11-20'],
    ['time', new Date('2026-11-20T17:36:41Z'), '2026-11-20T17:36:41.0000000Z'],
    ['guid', '0B0F4C8E-33A5-4A5B-9D0E-7F0A3D1C2B4A', '0b0f4c8e-33a5-4a5b-9d0e-7f0a3d1c2b4a'],
    ['hex', Uint8Array.of(10, 255), '0aff'],
    ['escaped', 'a/b\\c#d?e%f!g\th;i', 'a!2fb!5cc!23d!3fe!25f!21g!09h!3bi'],
    ['base64url', 'a?b>ü', 'YT9iPsO8'],
    // `printf abc | openssl dgst -sha256 -binary | base64`, with - and _ and no padding
    ['hash', 'abc', 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0'],
    ['hash', '0B0F4C8E-33A5-4A5B-9D0E-7F0A3D1C2B4A', 'PDRHuFBWxZPByyD2qINxDv9k4Y19SyGIbQI3lNNG8zg'],
  ])('print as %j: %s', (name, value, printed) => {
    expect(formatOf(name).print(value, ';')).toBe(printed)
  })

  it('R-153: print the newest time first, as 19 digits', () => {
    const format = formatOf('inverted')
    expect(format.print(new DateTimeValue(253_402_300_799_999, 9_999), '')).toBe(
      '0000000000000000000',
    )
    // 3155378975999999999 less the 621355968000000000 ticks from the year 1 to 1970
    expect(format.print(new Date(0), '')).toBe('2534023007999999999')
  })

  it.each<[string, unknown]>([
    ['', 5],
    ['', '\ud800'],
    ['escaped', undefined],
    ['base64url', 'a\udc00'],
    ['hash', null],
    ['8', 7n],
    ['8n', 7],
    ['int32', 2 ** 31],
    ['int64', 2n ** 63n],
    ['19n', 2n ** 63n],
    ['date', new Date('2026-11-20T00:00:00.001Z')],
    ['date', new DateTimeValue(0, 1)],
    ['time', new Date(Number.NaN)],
    ['inverted', new Date(8.64e15)],
    ['guid', '{0b0f4c8e-33a5-4a5b-9d0e-7f0a3d1c2b4a}'],
    ['hex', [1, 2]],
  ])('reject values of another type as %j', (name, value) => {
    expect(formatOf(name).print(value, ';')).toBeUndefined()
  })

  it.each(['int32', 'int64', '8', '19n', 'date', 'time', 'inverted', 'guid', 'hex', 'base64url'])(
    'parse no other text, as %j',
    (name) => {
      const format = formatOf(name)
      for (const text of ['x', '!', '9'.repeat(21), '2026-13-01', 'ü', 'A']) {
        expect(format.parse?.(text)).toBeUndefined()
      }
    },
  )

  it.each(['0', '08', '16', '20n', '8N', 'Hash', 'toString', 'n', '-8'])(
    'do not exist by the name %j',
    (name) => {
      expect(findKeyFormat(name)).toBeUndefined()
    },
  )
})
