import { describe, expect, it } from 'vitest'
import type * as cipher from '../../../packages/mapper/src/crypto/cipher.ts'
import type * as hash from '../../../packages/mapper/src/crypto/hash.ts'
import type * as mac from '../../../packages/mapper/src/crypto/mac.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const text = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex')

/** A nonce of a page of the cipher's standard. */
const nonce = hex('cafebabefacedbaddecaf888')
const key = hex('feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308')
const context = hex('feedfacedeadbeeffeedfacedeadbeefabaddad2')
const plaintext = hex(
  'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39',
)

/** What the algorithms of Node and those of browsers both do. */
export function describeAlgorithms(
  title: string,
  algorithms: typeof hash & typeof mac & typeof cipher,
): void {
  describe(title, () => {
    it('hashes with SHA-256', () => {
      const abc = new TextEncoder().encode('abc')
      expect(text(algorithms.sha256(abc))).toBe(
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
      )
    })

    it('authenticates with HMAC-SHA-256, as in RFC 4231', () => {
      const content = new TextEncoder().encode('what do ya want for nothing?')
      expect(text(algorithms.hmacSha256(new TextEncoder().encode('Jefe'), content))).toBe(
        '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
      )
    })

    it('encrypts with AES-256-GCM, as in test case 16 of its specification', () => {
      const sealed = algorithms.encryptGcm({ key, nonce, context }, plaintext)
      expect(text(sealed)).toBe(
        '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662' +
          '76fc6ece0f4e1768cddf8853bb2d551b',
      )
      expect(text(algorithms.decryptGcm({ key, nonce, context }, sealed))).toBe(text(plaintext))
    })

    it('rejects an altered ciphertext, tag, context, nonce and key', () => {
      const sealed = algorithms.encryptGcm({ key, nonce, context }, plaintext)
      const open = (changes: Partial<cipher.GcmParameters>, content = sealed) =>
        algorithms.decryptGcm({ key, nonce, context, ...changes }, content)
      for (const at of [0, plaintext.length - 1, plaintext.length, sealed.length - 1]) {
        expect(open({}, altered(sealed, at))).toBeUndefined()
      }
      expect(open({ context: altered(context, 0) })).toBeUndefined()
      expect(open({ nonce: altered(nonce, 0) })).toBeUndefined()
      expect(open({ key: altered(key, 31) })).toBeUndefined()
      expect(open({}, sealed.subarray(0, 15))).toBeUndefined()
    })

    it('opens an empty plaintext as plain bytes', () => {
      const sealed = algorithms.encryptGcm({ key, nonce, context }, new Uint8Array())
      const opened = algorithms.decryptGcm({ key, nonce, context }, sealed)
      expect(opened).toEqual(new Uint8Array())
      expect(opened?.constructor).toBe(Uint8Array)
    })

    it('compares bytes, of different lengths too', () => {
      expect(algorithms.equalBytes(nonce, nonce.slice())).toBe(true)
      expect(algorithms.equalBytes(nonce, altered(nonce, 3))).toBe(false)
      expect(algorithms.equalBytes(nonce, nonce.subarray(1))).toBe(false)
    })
  })
}

function altered(bytes: Uint8Array, at: number): Uint8Array {
  return bytes.map((byte, index) => (index === at ? byte ^ 1 : byte))
}
