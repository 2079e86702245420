import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeBase64Url, encodeBase64Url } from '../../../packages/rest/src/paging/base64-url.ts'

it('writes what Node writes, and reads it back', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const encoded = encodeBase64Url(text)
      expect(encoded).toBe(Buffer.from(text).toString('base64url'))
      expect(decodeBase64Url(encoded)).toBe(text)
    }),
  )
})

it('keeps a byte order mark', () => {
  expect(decodeBase64Url(encodeBase64Url('\ufeffa'))).toBe('\ufeffa')
})

it.each(['a', '!', 'ä', '_w', 'AA=A'])('takes %j for nothing', (text) => {
  expect(decodeBase64Url(text)).toBeUndefined()
})
