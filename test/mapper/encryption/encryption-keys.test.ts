import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { encryptionKeys } from '@rowkey/mapper'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EncryptionKeys } from '../../../packages/mapper/src/encryption/encryption-keys.ts'
import { placeBytes } from '../../../packages/mapper/src/encryption/value-seal.ts'
import { referenceOpen, referenceSeal } from './reference-format.ts'

const documentation = readFileSync('docs/project/encryption-formats.md', 'utf8')
const k1 = Buffer.alloc(32, 1)
const k2 = Buffer.alloc(32, 2)
const nonce = Buffer.from('000102030405060708090a0b', 'hex')
const keys = encryptionKeys({ current: 'k2', keys: { k1, k2: k2.toString('base64') } })
const fixed = encryptionKeys({ current: 'k2', keys: { k2 }, random: () => nonce })

const where = { partitionKey: 'Smith', rowKey: 'Jeff', name: 'ssn' }
const placeOf = ({ partitionKey, rowKey, name }: typeof where) =>
  placeBytes({ partitionKey, rowKey }, name)
const place = placeOf(where)
const plaintext = Buffer.from('\x08123-45-6789')

describe('encryptionKeys', () => {
  it('writes the documented bytes, as another implementation of them does', () => {
    const expected = referenceSeal({ key: k2, keyId: 'k2', nonce }, plaintext, where)
    expect(Buffer.from(fixed.seal(plaintext, place)).toString('hex')).toBe(expected.toString('hex'))
    expect(documentation).toContain(`    ${expected.toString('hex')}`)
  })

  it('opens what another implementation wrote, and is opened by it', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ minLength: 12, maxLength: 12 }),
        fc.record({ partitionKey: fc.string(), rowKey: fc.string(), name: fc.string() }),
        (bytes, random, at) => {
          const theirs = referenceSeal(
            { key: k1, keyId: 'k1', nonce: Buffer.from(random) },
            Buffer.from(bytes),
            at,
          )
          expect(keys.open(theirs, placeOf(at))).toEqual({ plaintext: bytes, keyId: 'k1' })
          const ours = Buffer.from(keys.seal(bytes, placeOf(at)))
          expect(new Uint8Array(referenceOpen(k2, ours, at))).toEqual(bytes)
        },
      ),
    )
  })

  it('never makes the same bytes twice', () => {
    expect(keys.seal(plaintext, place)).not.toEqual(keys.seal(plaintext, place))
  })

  it('rejects a value with any altered byte', () => {
    const sealed = fixed.seal(plaintext, place)
    for (let at = 0; at < sealed.length; at++) {
      const altered = Uint8Array.from(sealed)
      altered[at] = (altered[at] as number) ^ 1
      expect(keys.open(altered, place), `byte ${at}`).toHaveProperty('failure')
    }
  })

  it('rejects a value that is shorter or longer', () => {
    const sealed = fixed.seal(plaintext, place)
    for (let length = 0; length < sealed.length; length++) {
      expect(keys.open(sealed.subarray(0, length), place)).toHaveProperty('failure')
    }
    expect(keys.open(Uint8Array.of(...sealed, 0), place)).toEqual({
      failure: 'tampered',
      keyId: 'k2',
    })
  })

  it.each([
    { ...where, partitionKey: 'Smiths' },
    { ...where, rowKey: 'Jef' },
    { ...where, name: 'SSN' },
    { ...where, partitionKey: 'SmithJ', rowKey: 'eff' },
  ])('rejects a value that was moved to %o', (at) => {
    expect(keys.open(keys.seal(plaintext, place), placeOf(at))).toEqual({
      failure: 'tampered',
      keyId: 'k2',
    })
  })

  it('names a key that it does not have, and one that is another key', () => {
    const other = encryptionKeys({ current: 'k3', keys: { k3: Buffer.alloc(32, 3) } })
    expect(keys.open(other.seal(plaintext, place), place)).toEqual({
      failure: 'unknownKey',
      keyId: 'k3',
    })
    const impostor = encryptionKeys({ current: 'k1', keys: { k1: Buffer.alloc(32, 9) } })
    expect(keys.open(impostor.seal(plaintext, place), place)).toEqual({
      failure: 'tampered',
      keyId: 'k1',
    })
  })

  it.each<[string, unknown, RegExp]>([
    [
      'a key of 31 bytes',
      { current: 'k', keys: { k: new Uint8Array(31) } },
      /Key 'k' of encryptionKeys must be 32 bytes/,
    ],
    [
      'a rule that it does not know',
      { current: 'k1', keys: { k1 }, plaintext: 'x' },
      /plaintext.*'reject' or 'read'/,
    ],
    ['random that is not a function', { current: 'k1', keys: { k1 }, random: 5 }, /random/],
  ])('rejects %s', (_what, given, message) => {
    expect(() => encryptionKeys(given as never)).toThrow(
      expect.objectContaining({ name: 'InputError', code: 'InvalidKeyRing' }),
    )
    expect(() => encryptionKeys(given as never)).toThrow(message)
  })

  it('rejects an unknown option, and options that are not an object', () => {
    expect(() => encryptionKeys({ current: 'k1', keys: { k1 }, curent: 'k1' } as never)).toThrow(
      /no option 'curent'/,
    )
    expect(() => encryptionKeys(undefined as never)).toThrow(/must be an object/)
  })

  it('rejects randomness of another size', () => {
    const short = encryptionKeys({ current: 'k1', keys: { k1 }, random: () => new Uint8Array(8) })
    expect(() => short.seal(plaintext, place)).toThrow(
      /random\(12\) of encryptionKeys must return 12 bytes/,
    )
  })

  it('shows ids and never a key', () => {
    expect([keys.current, keys.ids]).toEqual(['k2', ['k1', 'k2']])
    const shown = inspect(keys, { depth: 9, showHidden: true }) + JSON.stringify(keys)
    expect(shown).not.toMatch(/0?1, 0?1, 0?1|02 02|AgICAg|Uint8Array|Buffer/)
    expect(keys).toBeInstanceOf(EncryptionKeys)
  })
})
