import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import * as base64Url from '../../../packages/odata/src/edm/base64-url.ts'
import * as binary from '../../../packages/odata/src/edm/binary.ts'

const base64 = { ...binary, ...base64Url }

/** Loads the modules where `Buffer` does not exist. */
async function withoutBuffer(): Promise<typeof base64> {
  vi.resetModules()
  vi.stubGlobal('Buffer', undefined)
  return {
    ...(await import('../../../packages/odata/src/edm/binary.ts')),
    ...(await import('../../../packages/odata/src/edm/base64-url.ts')),
  }
}

const texts = fc.oneof(fc.base64String({ maxLength: 12 }), fc.string({ maxLength: 8 }))

describe('base64', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('decodes to the bytes that were encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(base64.decodeBase64(base64.encodeBase64(bytes))).toEqual(bytes)
      }),
    )
  })

  it('gives the same results with and without Buffer', async () => {
    const plain = await withoutBuffer()
    const sameBytes = fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(plain.encodeBase64(bytes)).toBe(base64.encodeBase64(bytes))
    })
    const sameText = fc.property(texts, (text) => {
      expect(plain.decodeBase64(text)).toEqual(base64.decodeBase64(text))
    })
    fc.assert(sameBytes)
    fc.assert(sameText, { numRuns: 2_000 })
  })

  it.each([
    'A',
    'AA',
    'AAA',
    'AA=',
    '=AAA',
    'AA=A',
    'A===',
    '====',
    'AA A',
    'AA\nA',
    '-_AA',
    'ÄÄÄÄ',
  ])('does not decode %j', async (text) => {
    expect(base64.decodeBase64(text)).toBeUndefined()
    expect((await withoutBuffer()).decodeBase64(text)).toBeUndefined()
  })

  it('writes base64url as Node does, with and without Buffer', async () => {
    const plain = await withoutBuffer()
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const text = base64.encodeBase64Url(bytes)
        expect(text).toMatch(/^[\w-]*$/)
        expect(plain.encodeBase64Url(bytes)).toBe(text)
        expect(base64.decodeBase64Url(text)).toEqual(bytes)
        expect(plain.decodeBase64Url(text)).toEqual(bytes)
      }),
    )
    expect(base64.encodeBase64Url(Uint8Array.of(251, 239, 255))).toBe('--__')
  })

  it('keeps a text in base64url, byte order mark included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const encoded = base64.encodeBase64UrlText(text)
        expect(base64.decodeBase64UrlText(encoded)).toBe(text)
      }),
    )
    expect(base64.decodeBase64UrlText(base64.encodeBase64UrlText('\ufeffa'))).toBe('\ufeffa')
  })

  it.each(['a', '!', 'ä', '_w', 'AA=A', 'AA==', 'AB', 'AA\n', 'A+/A'])(
    'does not decode %j as base64url text',
    (text) => {
      expect(base64.decodeBase64UrlText(text)).toBeUndefined()
    },
  )
})
