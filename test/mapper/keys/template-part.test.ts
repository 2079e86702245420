import { key } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'

describe('key', () => {
  it('accepts parts of fixed length without a separator', () => {
    const log = key`${'tenant:4'}${'at:inverted'}${'text'}`
    const values = { tenant: 3, at: new Date(0), text: 'free' }
    expect(log.parse(log.print(values))).toEqual(values)
  })

  it('R-152: rejects a value that contains its separator', () => {
    const place = key`${'state'};${'city'}`
    expect(() => place.print({ state: 'W;A', city: 'x' })).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidKeyPart' }),
    )
    expect(() => place.print({ state: 'W;A', city: 'x' })).toThrow(/^state: .*';'.*state:escaped/)
    const dashes = key`${'a'}--${'b'}`
    expect(() => dashes.print({ a: 'x-', b: 'y' })).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidKeyPart' }),
    )
    expect(dashes.print({ a: 'x-y', b: '-z' })).toBe('x-y---z')
    expect(dashes.parse('x-y---z')).toEqual({ a: 'x-y', b: '-z' })
  })
})
