import { decodeBase64, encodeBase64 } from './base64.ts'
import type { EdmCodec } from './edm-codec.ts'
import { valueRefused } from './value-refused.ts'

const TAKES =
  'bytes as a Uint8Array, another view, an ArrayBuffer or a SharedArrayBuffer that is not detached'

/**
 * Binary: bytes, whatever buffer they lie in and wherever they begin in it. That one property holds
 * 64 KiB at most is a rule of the service, which is checked where a request is made.
 */
export const binaryCodec: EdmCodec<'Binary'> = {
  type: 'Binary',
  accept(given, name) {
    const bytes = bytesOf(given)
    if (bytes !== undefined) return bytes
    throw valueRefused('Binary', name, given, TAKES)
  },
  annotates: () => true,
  writeJson: (value) => `"${encodeBase64(value)}"`,
  readJson(json, name) {
    const bytes = typeof json === 'string' ? decodeBase64(json) : undefined
    if (bytes !== undefined) return bytes
    throw valueRefused('Binary', name, json, 'base64 text with padding')
  },
  printLiteral: (value) => `X'${printHex(value)}'`,
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
    // A detached buffer: no view of it can be made, and its length of 0 would pass for no bytes.
    return undefined
  }
}

/** Whether a value is an ArrayBuffer or a SharedArrayBuffer, of this realm or another. */
export function isAnyBuffer(value: unknown): value is ArrayBuffer | SharedArrayBuffer {
  const tag = Object.prototype.toString.call(value)
  return tag === '[object ArrayBuffer]' || tag === '[object SharedArrayBuffer]'
}

/** Byte by byte without signs; a shorter value sorts before the longer one it begins. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length)
  for (let at = 0; at < shared; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function printHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0')
  return text
}
