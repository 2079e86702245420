/**
 * Writes bytes as hexadecimal digits, in lower case.
 *
 * @param bytes - the bytes
 *
 * @example
 * ```ts
 * encodeHex(Uint8Array.of(10, 255)) // '0aff'
 * ```
 */
export function encodeHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}

/**
 * Reads bytes from hexadecimal digits, in either case.
 *
 * @param text - what may be digits
 * @returns `undefined` for any text but pairs of digits
 *
 * @example
 * ```ts
 * decodeHex('0aff') // Uint8Array [10, 255]
 * decodeHex('0af') // undefined
 * ```
 */
export function decodeHex(text: string): Uint8Array | undefined {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) return undefined
  const bytes = new Uint8Array(text.length / 2)
  for (let at = 0; at < bytes.length; at++) {
    bytes[at] = Number.parseInt(text.slice(at * 2, at * 2 + 2), 16)
  }
  return bytes
}
