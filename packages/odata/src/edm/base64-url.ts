import { decodeBase64, encodeBase64 } from './binary.ts'
import { encodeHex } from './hex.ts'

/**
 * Writes bytes as base64 in the alphabet that is safe in URLs and keys, without padding.
 *
 * @see https://datatracker.ietf.org/doc/html/rfc4648#section-5
 */
export function encodeBase64Url(bytes: Uint8Array): string {
  return encodeBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Reads the bytes that {@link encodeBase64Url} wrote.
 *
 * @param text - the text
 * @returns `undefined` for any other text, padding and blanks included
 */
export function decodeBase64Url(text: string): Uint8Array | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined
  const padded = text.padEnd(Math.ceil(text.length / 4) * 4, '=')
  const bytes = decodeBase64(padded.replaceAll('-', '+').replaceAll('_', '/'))
  // Encoding it again finds bits that no byte needs.
  return bytes !== undefined && encodeBase64Url(bytes) === text ? bytes : undefined
}

/**
 * Writes a text as {@link encodeBase64Url} of its UTF-8.
 *
 * @param text - without half surrogate pairs
 */
export function encodeBase64UrlText(text: string): string {
  // Percent-encoding is UTF-8 too, and exists in jsdom, which has no TextEncoder.
  const units = encodeURIComponent(text).replaceAll(/%(..)/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return encodeBase64Url(Uint8Array.from(units, (unit) => unit.charCodeAt(0)))
}

/**
 * Reads the text that {@link encodeBase64UrlText} wrote.
 *
 * @param text - what may be base64
 * @returns `undefined` for any other text, and for bytes that are not UTF-8
 */
export function decodeBase64UrlText(text: string): string | undefined {
  const bytes = decodeBase64Url(text)
  if (bytes === undefined) return undefined
  try {
    return decodeURIComponent(encodeHex(bytes).replaceAll(/../g, '%$&'))
  } catch {
    return undefined
  }
}
