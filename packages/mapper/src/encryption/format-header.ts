import { isKeyId } from './key-ring.ts'

/** The only version of the formats. A reader rejects every other one. */
const VERSION = 1

/** The algorithms, by the second byte of the header. */
export const ALGORITHMS = { 'AES-256-GCM': 1, 'HMAC-SHA-256': 2 } as const

/** The name of an algorithm. */
export type Algorithm = keyof typeof ALGORITHMS

/** The header of an encrypted value or a signature. */
export interface FormatHeader {
  /** The id of the key. */
  readonly keyId: string
  /** The length of the header in bytes. */
  readonly length: number
}

/**
 * Writes a header: version, algorithm, the length of the key id, and the key id, as in
 * docs/encryption.md.
 */
export function encodeHeader(algorithm: Algorithm, keyId: string): Uint8Array {
  const id = [...keyId].map((character) => character.charCodeAt(0)) // ASCII
  return Uint8Array.of(VERSION, ALGORITHMS[algorithm], id.length, ...id)
}

/**
 * Reads the header at the beginning of stored bytes.
 *
 * @returns `undefined` without a header of this version and algorithm
 */
export function decodeHeader(algorithm: Algorithm, bytes: Uint8Array): FormatHeader | undefined {
  const [version, code, size] = bytes
  if (version !== VERSION || code !== ALGORITHMS[algorithm] || size === undefined) return undefined
  const length = 3 + size
  if (bytes.length < length) return undefined
  const keyId = String.fromCharCode(...bytes.subarray(3, length))
  // The id is shown in messages, so it must be a valid id.
  return isKeyId(keyId) ? { keyId, length } : undefined
}
