/**
 * A text as base64 of its UTF-8, in the alphabet that can stand in a URL, without padding.
 *
 * @param text - without half surrogate pairs
 */
export function encodeBase64Url(text: string): string {
  let units = ''
  for (const byte of new TextEncoder().encode(text)) units += String.fromCharCode(byte)
  return btoa(units).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * The text that {@link encodeBase64Url} was given.
 *
 * @param text - what may be base64
 * @returns `undefined` when it is not, or not of UTF-8; blanks and padding are passed over
 */
export function decodeBase64Url(text: string): string | undefined {
  try {
    const units = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(units, (unit) => unit.charCodeAt(0))
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
