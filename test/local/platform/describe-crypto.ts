import { DEVELOPMENT_KEY } from '@rowkey/rest'
import { describe, expect, it } from 'vitest'
import type * as node from '../../../packages/local/src/platform/crypto.ts'
import { tableSignatures } from '../../vectors/sas-signatures.ts'

/** Covers both classes of keys, which have different private fields. */
interface Algorithms extends Pick<typeof node, 'md5' | 'randomId'> {
  readonly SigningKey: new (
    base64: string,
  ) => Pick<node.SigningKey, 'matches' | 'sign' | 'toBase64'>
}

/** Describes the algorithms; the same facts hold on Node and in browsers. */
export function describeCrypto(title: string, { SigningKey, md5, randomId }: Algorithms): void {
  describe(title, () => {
    const key = new SigningKey(DEVELOPMENT_KEY)

    it.each(tableSignatures)(
      'makes and recognizes the signature of $title',
      ({ text, signature }) => {
        expect(key.sign(text)).toBe(signature)
        expect(key.matches(text, signature)).toBe(true)
        expect(key.matches(`${text}\n`, signature)).toBe(false)
        expect(new SigningKey('AAAA').matches(text, signature)).toBe(false)
      },
    )

    it('rejects a signature that is too short or too long', () => {
      const [{ text, signature } = { text: '', signature: '' }] = tableSignatures
      expect(key.matches(text, signature.slice(0, 8))).toBe(false)
      expect(key.matches(text, '')).toBe(false)
      expect(key.matches(text, `AAAA${signature}`)).toBe(false)
    })

    it('returns the key for connection strings, and does not show it elsewhere', () => {
      expect(key.toBase64()).toBe(DEVELOPMENT_KEY)
      expect(JSON.stringify(key)).toBe('{}')
    })

    it('hashes the UTF-8 of a text with MD5', () => {
      expect(md5('')).toBe('1B2M2Y8AsgTpgAmY7PhCfg==')
      expect(md5('{"TableName":"é😀"}')).toBe('3zghVx9ptCdfgtkWfEHGpw==')
    })

    it('makes random UUIDs of version 4', () => {
      const ids = Array.from({ length: 200 }, () => randomId())
      expect(new Set(ids).size).toBe(200)
      const form = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
      expect(ids.filter((id) => !form.test(id))).toEqual([])
    })
  })
}
