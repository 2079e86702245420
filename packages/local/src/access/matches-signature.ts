import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto'

/**
 * Whether a signature is the one that a key makes of a text. How long that takes says nothing about
 * how much of a wrong one was right.
 *
 * @param signature - in base64
 */
export function matchesSignature(key: KeyObject, text: string, signature: string): boolean {
  const expected = createHmac('sha256', key).update(text).digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}
