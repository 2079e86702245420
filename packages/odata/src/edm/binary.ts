import { type EdmCodec, invalidValue, unreadableValue } from './edm-codec.ts'
import { encodeHex } from './hex.ts'

const BYTES = 'a Uint8Array, another view, an ArrayBuffer or a SharedArrayBuffer, not detached'

/**
 * Binary: bytes in any buffer and at any offset. The service limits one property to 64 KiB; that is
 * checked where a request is made.
 */
export const binaryCodec: EdmCodec<'Binary'> = {
  type: 'Binary',
  accept(given, name) {
    const bytes = bytesOf(given)
    if (bytes !== undefined) return bytes
    throw invalidValue('Binary', name, given, BYTES)
  },
  annotates: () => true,
  writeJson: (value) => `"${encodeBase64(value)}"`,
  readJson(json, name) {
    const bytes = typeof json === 'string' ? decodeBase64(json) : undefined
    if (bytes !== undefined) return bytes
    throw unreadableValue('Binary', name, json, 'base64 text with padding')
  },
  printLiteral: (value) => `X'${encodeHex(value)}'`,
  compare: compareBytes,
}

function bytesOf(given: unknown): Uint8Array | undefined {
  if (given instanceof Uint8Array && given.byteLength > 0) return given
  try {
    if (ArrayBuffer.isView(given)) {
      return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
    }
    return isAnyBuffer(given) ? new Uint8Array(given) : undefined
  } catch {
    // A detached buffer has no view, and its length of 0 would pass for an empty value.
    return undefined
  }
}

/** Tells whether a value is an ArrayBuffer or a SharedArrayBuffer, of this realm or another. */
export function isAnyBuffer(value: unknown): value is ArrayBuffer | SharedArrayBuffer {
  const tag = Object.prototype.toString.call(value)
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
}

/** Compares unsigned bytes one by one; a prefix sorts first. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let at = 0; at < shared; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Node's own codec, where it exists, is many times as fast as `atob` and `btoa`. */
const nodeBuffer: typeof Buffer | undefined = globalThis.Buffer

/** Writes bytes as base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  if (nodeBuffer === undefined) return btoa(toBinaryText(bytes))
  return nodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}

/**
 * Reads base64 in the standard alphabet, with padding and without blanks.
 *
 * @param text - the text
 * @returns `undefined` for any other text
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || text.includes('-') || text.includes('_')) return undefined
  const bytes = decodeLeniently(text)
  return bytes?.length === decodedLength(text) ? bytes : undefined
}

/** Buffer skips characters that it does not know, which then shows in the length; `atob` throws. */
function decodeLeniently(text: string): Uint8Array | undefined {
  // A copy, so that the caller does not hold a slice of Node's shared pool.
  if (nodeBuffer !== undefined) return new Uint8Array(nodeBuffer.from(text, 'base64'))
  try {
    return Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0))
  } catch {
    return undefined
  }
}

function decodedLength(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}

function toBinaryText(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}
