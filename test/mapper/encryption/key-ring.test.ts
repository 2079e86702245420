import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { isKeyId, KeyRing } from '../../../packages/mapper/src/encryption/key-ring.ts'

const RULE = { ring: 'ring', length: 4, orMore: false }
const k1 = Uint8Array.of(1, 2, 3, 4)
const ringOf = (given: unknown, rule = RULE) => new KeyRing(given as never, rule)

describe('KeyRing', () => {
  it('accepts bytes and base64', () => {
    const ring = ringOf({ current: 'k2', keys: { k1, k2: 'BQYHCA==' } })
    expect(ring.ids).toEqual(['k1', 'k2'])
    expect(ring.current).toBe('k2')
    expect([...ring.currentKey]).toEqual([5, 6, 7, 8])
    expect(ring.find('k1')).toEqual(k1)
    expect(ring.find('toString')).toBeUndefined()
  })

  it('keeps a copy: the caller can wipe the original, also a Buffer', () => {
    const given = Buffer.from([1, 2, 3, 4])
    const ring = ringOf({ current: 'k1', keys: { k1: given } })
    given.fill(0)
    expect(ring.currentKey).toEqual(k1)
  })

  it('accepts a longer key only where the rule allows it', () => {
    const keys = { k: new Uint8Array(5) }
    expect(() => ringOf({ current: 'k', keys })).toThrow(/'k' of ring must be 4 bytes, /)
    expect(ringOf({ current: 'k', keys }, { ...RULE, orMore: true }).currentKey.length).toBe(5)
  })

  it.each<[string, unknown, RegExp]>([
    ['no keys', { current: 'k1' }, /needs keys/],
    ['an empty ring', { current: 'k1', keys: {} }, /needs keys/],
    ['no current key', { keys: { k1 } }, /current.*k1/],
    ['a current key that is not there', { current: 'k3', keys: { k1 } }, /current.*k1/],
    ['a name of Object.prototype as current', { current: 'toString', keys: { k1 } }, /current/],
    ['an empty id', { current: '', keys: { '': k1 } }, /key id/],
    ['an id with a blank', { current: 'a b', keys: { 'a b': k1 } }, /key id/],
    ['an id of 256 characters', { current: 'a', keys: { ['a'.repeat(256)]: k1 } }, /key id/],
    [
      'a short key',
      { current: 'k1', keys: { k1: new Uint8Array(3) } },
      /'k1' of ring must be 4 bytes/,
    ],
    ['a key of no bytes', { current: 'k1', keys: { k1: 5 } }, /'k1' of ring must be 4 bytes/],
    ['a key that is null', { current: 'k1', keys: { k1: null } }, /'k1' of ring must be 4 bytes/],
    ['base64 without padding', { current: 'k1', keys: { k1: 'BQYHCA' } }, /base64 with padding/],
  ])('rejects %s', (_what, given, message) => {
    expect(() => ringOf(given)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidKeyRing' }),
    )
    expect(() => ringOf(given)).toThrow(message)
  })

  it('never shows a key, valid or not', () => {
    const secret = 'c2VjcmV0LXNlY3JldA'
    const error = thrownBy(() => ringOf({ current: 'k', keys: { k: secret } }))
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(secret)
    const ring = ringOf({ current: 'k1', keys: { k1 } })
    expect(inspect(ring, { depth: 9, showHidden: true })).not.toMatch(/1, 2, 3, 4|Uint8Array/)
    expect(JSON.stringify(ring)).toBe('{}')
  })
})

describe('isKeyId', () => {
  it('accepts printable ASCII without blanks, such as the ids of key vaults', () => {
    expect(isKeyId('https://contoso.vault.azure.net/keys/rows/3fa85f64')).toBe(true)
    expect(isKeyId('é')).toBe(false)
  })
})

function thrownBy(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
