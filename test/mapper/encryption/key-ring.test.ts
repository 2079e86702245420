import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { KeyRing } from '../../../packages/mapper/src/encryption/key-ring.ts'

const RULE = { ring: 'ring', algorithm: 2, length: 4, orMore: false }
const k1 = Uint8Array.of(1, 2, 3, 4)
const ringOf = (given: unknown, rule = RULE) => new KeyRing(given as never, rule)

describe('KeyRing', () => {
  it('accepts bytes and base64', () => {
    const ring = ringOf({ current: 'k2', keys: { k1, k2: 'BQYHCA==' } })
    expect(ring.ids).toEqual(['k1', 'k2'])
    expect(ring.current.keyId).toBe('k2')
    expect([...ring.current.key]).toEqual([5, 6, 7, 8])
  })

  it('keeps a copy: the caller can wipe the original, also a Buffer', () => {
    const given = Buffer.from([1, 2, 3, 4])
    const ring = ringOf({ current: 'k1', keys: { k1: given } })
    given.fill(0)
    expect(ring.current.key).toEqual(k1)
  })

  it('accepts a longer key only where the rule allows it', () => {
    const keys = { k: new Uint8Array(5) }
    expect(() => ringOf({ current: 'k', keys })).toThrow(/'k' of ring must be 4 bytes, /)
    expect(ringOf({ current: 'k', keys }, { ...RULE, orMore: true }).current.key.length).toBe(5)
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

describe('the ids of keys', () => {
  it('are printable ASCII without blanks, such as the ids of key vaults', () => {
    const id = 'https://contoso.vault.azure.net/keys/rows/3fa85f64'
    expect(ringOf({ current: id, keys: { [id]: k1 } }).ids).toEqual([id])
    expect(() => ringOf({ current: 'é', keys: { é: k1 } })).toThrow(/key id/)
  })
})

describe('the header of bytes', () => {
  it('is the version, the algorithm, the length of the key id, and the key id', () => {
    const ring = ringOf({ current: 'k2', keys: { k2: k1 } })
    expect([...ring.current.header]).toEqual([1, 2, 2, 0x6b, 0x32])
  })

  it('names the key, whatever follows', () => {
    const keyId = 'x'.repeat(255)
    const ring = ringOf({ current: keyId, keys: { [keyId]: k1 } })
    const { header } = ring.current
    expect(ring.read(Uint8Array.of(...header, 9, 8), 2)).toEqual({
      key: k1,
      keyId,
      header,
      content: Uint8Array.of(9, 8),
    })
  })

  it('may name an unknown key', () => {
    const ring = ringOf({ current: 'k1', keys: { k1 } })
    const { header } = ringOf({ current: 'toString', keys: { toString: k1 } }).current
    expect(ring.read(header, 0)).toEqual({ failure: 'unknownKey', keyId: 'toString' })
  })

  it.each<[string, number[]]>([
    ['nothing', []],
    ['another version', [2, 2, 1, 0x6b]],
    ['another algorithm', [1, 1, 1, 0x6b]],
    ['a key id that is cut', [1, 2, 2, 0x6b]],
    ['an empty key id', [1, 2, 0]],
    ['a control character in the key id', [1, 2, 2, 0x6b, 0x0a]],
    ['no ASCII in the key id', [1, 2, 1, 0xe9]],
    ['no length', [1, 2]],
  ])('is malformed with %s', (_what, bytes) => {
    const ring = ringOf({ current: 'k', keys: { k: k1 } })
    expect(ring.read(Uint8Array.from(bytes), 0)).toEqual({ failure: 'malformed' })
  })

  it('is malformed when too few bytes follow', () => {
    const ring = ringOf({ current: 'k', keys: { k: k1 } })
    expect(ring.read(Uint8Array.of(...ring.current.header, 9), 2)).toEqual({ failure: 'malformed' })
  })
})

function thrownBy(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
