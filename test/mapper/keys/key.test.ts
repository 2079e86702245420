import { KeyCodec, key } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

/** Calls the tag as JavaScript can. */
const anyKey = key as unknown as (texts: unknown, ...parts: unknown[]) => KeyCodec<object>

describe('key', () => {
  it('R-152: prints properties and fixed text as a key, and parses it', () => {
    const place = key`${'state'};${'city'}`
    expect(place).toBeInstanceOf(KeyCodec)
    expect(place.print({ state: 'WA', city: 'Walla;Walla' })).toBe('WA;Walla;Walla')
    expect(place.parse('WA;Walla;Walla')).toEqual({ state: 'WA', city: 'Walla;Walla' })
  })

  it('R-124: makes keys of a constant, one property, several properties, or a hash', () => {
    expect(key`settings`.print({})).toBe('settings')
    expect(key`settings`.parse('settings')).toEqual({})
    expect(key``.print({})).toBe('')
    expect(key`${'name:escaped'}`.print({ name: 'a/b' })).toBe('a!2fb')
    expect(key`${'a:escaped'}~${'b:escaped'}`.print({ a: 'x~y', b: 'z' })).toBe('x!7ey~z')
    expect(key`${'mail:hash'}`.print({ mail: 'jeff@contoso.com' })).toMatch(/^[\w-]{43}$/)
  })

  it('accepts another template as a part', () => {
    const tenant = key`t${'tenant:4'}_`
    const order = key`${tenant}o${'orderNo:6'}`
    expect(order.print({ tenant: 7, orderNo: 12 })).toBe('t0007_o000012')
    expect(key`${key`${'a'}`};${'b'}`.parse('x;y')).toEqual({ a: 'x', b: 'y' })
  })

  it('prints the template as it was declared', () => {
    expect(String(key`0002_${'orderNo:8'}`)).toBe(['0002_$', "{'orderNo:8'}"].join(''))
  })

  it('is frozen', () => {
    const place = key`${'state'};${'city'}`
    expect(Object.isFrozen(place)).toBe(true)
    expect(Object.isFrozen(place.segments)).toBe(true)
    expect(place.properties).toEqual(['state', 'city'])
  })

  it.each<[string, () => unknown, RegExp]>([
    [
      'an unknown format',
      () => anyKey(['', ''], 'no:eight'),
      /no:eight.*unknown key format.*:int32, :int64, :date, .*, :hash\./,
    ],
    ['too many digits for a number', () => anyKey(['', ''], 'no:16'), /unknown key format/],
    ['a format without a name', () => anyKey(['', ''], 'no:'), /unknown key format/],
    ['a part without a property', () => anyKey(['', ''], ':8'), /no property/],
    ['a part that is not a string', () => anyKey(['', ''], 8), /a value of type number.*in quotes/],
    ['a call without a template', () => anyKey([]), /called without a template/],
    ['a call with a text', () => anyKey('id' as never), /called without a template/],
    ['a call with nothing', () => anyKey(undefined as never), /called without a template/],
    ['a call with text', () => anyKey([undefined, ''], 'a'), /invalid escape/],
    ['text right before text', () => key`${'a'}${'b'}`, /touch.*semicolon/],
    ['text right before a number', () => key`${'a'}${'b:8'}`, /touch/],
    ['a separator of the base64url alphabet', () => key`${'a:base64url'}_${'b'}`, /'_'.*itself/],
    ['a separator that occurs in escapes', () => key`${'a:escaped'}!${'b'}`, /'!'.*itself/],
    ['a separator that is a hex digit', () => key`${'a:hex'}f${'b'}`, /'f'.*itself/],
    ['fixed text with a slash', () => key`a/${'b'}`, /"\/".*must not contain/],
    ['one property twice', () => key`${'a'};${'a'}`, /'a' occurs twice/],
  ])('rejects %s', (_what, declare, message) => {
    expect(declare).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidKeyTemplate' }),
    )
    expect(declare).toThrow(message)
  })
})
