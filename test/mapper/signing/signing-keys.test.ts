import { inspect } from 'node:util'
import { signingKeys } from '@rowkey/mapper'
import { describe, expect, it } from 'vitest'
import { SigningKeys } from '../../../packages/mapper/src/signing/signing-keys.ts'

const s1 = Buffer.alloc(32, 1)
const s2 = Buffer.alloc(64, 2)
const keys = signingKeys({ current: 's2', keys: { s1, s2 } })
const old = signingKeys({ current: 's1', keys: { s1 } })
const content = Buffer.from('content')

describe('signingKeys', () => {
  it('accepts the signature of every key of the ring', () => {
    expect(keys.findFault(keys.sign(content), content)).toBeUndefined()
    expect(keys.findFault(old.sign(content), content)).toBeUndefined()
  })

  it('R-128: finds a fault when any byte of the signature or of the content was altered', () => {
    const signature = keys.sign(content)
    for (const bytes of [signature, content]) {
      for (let at = 0; at < bytes.length; at++) {
        const altered = Uint8Array.from(bytes)
        altered[at] = (altered[at] as number) ^ 1
        const finding =
          bytes === content ? keys.findFault(signature, altered) : keys.findFault(altered, content)
        expect(finding, `byte ${at}`).toBeDefined()
      }
    }
  })

  it('finds a fault in a signature that was cut, extended, or made with an unknown key', () => {
    const signature = keys.sign(content)
    for (let length = 0; length < signature.length; length++) {
      expect(keys.findFault(signature.subarray(0, length), content)).toBeDefined()
    }
    expect(keys.findFault(Uint8Array.of(...signature, 0), content)).toEqual({
      failure: 'tampered',
      keyId: 's2',
    })
    expect(old.findFault(signature, content)).toEqual({ failure: 'unknownKey', keyId: 's2' })
  })

  it('keeps the signature in a property of its own, called Signature by default', () => {
    expect(keys.property).toBe('Signature')
    expect(signingKeys({ current: 's1', keys: { s1 }, property: 'sig' }).property).toBe('sig')
  })

  it.each<[string, unknown, string, RegExp]>([
    [
      'a short key',
      { current: 'k', keys: { k: new Uint8Array(31) } },
      'InvalidKeyRing',
      /32 bytes or more/,
    ],
    [
      'an unknown rule',
      { current: 's1', keys: { s1 }, unsigned: 'x' },
      'InvalidKeyRing',
      /'reject' or 'read'/,
    ],
    [
      'a system property',
      { current: 's1', keys: { s1 }, property: 'RowKey' },
      'InvalidPropertyName',
      /RowKey/,
    ],
    [
      'no property name',
      { current: 's1', keys: { s1 }, property: 'a-b' },
      'InvalidPropertyName',
      /a-b/,
    ],
  ])('rejects %s', (_what, given, code, message) => {
    expect(() => signingKeys(given as never)).toThrow(expect.objectContaining({ code }))
    expect(() => signingKeys(given as never)).toThrow(message)
  })

  it('rejects an unknown option, and options that are not an object', () => {
    expect(() => signingKeys({ current: 's1', keys: { s1 }, proprety: 'x' } as never)).toThrow(
      /no option 'proprety'/,
    )
    expect(() => signingKeys(null as never)).toThrow(/must be an object/)
  })

  it('shows ids and never a key', () => {
    expect([keys.current, keys.ids]).toEqual(['s2', ['s1', 's2']])
    const shown = inspect(keys, { depth: 9, showHidden: true }) + JSON.stringify(keys)
    expect(shown).not.toMatch(/01 01|0?1, 0?1|Uint8Array|Buffer/)
    expect(keys).toBeInstanceOf(SigningKeys)
  })
})
