import { isKeyId } from './key-ring.ts'

/** The one version of the formats there is. A reader refuses every other. */
const VERSION = 1

/** What a stored value was made with, as the header's second byte says it. */
export const ALGORITHMS = { 'AES-256-GCM': 1, 'HMAC-SHA-256': 2 } as const

/** The name of an algorithm. */
export type Algorithm = keyof typeof ALGORITHMS

/** What stands at the beginning of an encrypted value and of a signature. */
export interface FormatHeader {
  /** The id of the key. */
  readonly keyId: string
  /** The header's own length in bytes. */
  readonly length: number
}

/** Version, algorithm, the length of the key id, and the key id: docs/encryption.md. */
export function encodeHeader(algorithm: Algorithm, keyId: string): Uint8Array {
  const id = [...keyId].map((character) => character.charCodeAt(0)) // ASCII
  return Uint8Array.of(VERSION, ALGORITHMS[algorithm], id.length, ...id)
}

/**
 * The header at the beginning of stored bytes.
 *
 * @returns `undefined` when there is none of this version and algorithm
 */
export function decodeHeader(algorithm: Algorithm, bytes: Uint8Array): FormatHeader | undefined {
  const [version, code, size] = bytes
  if (version !== VERSION || code !== ALGORITHMS[algorithm] || size === undefined) return undefined
  const length = 3 + size
  if (bytes.length < length) return undefined
  const keyId = String.fromCharCode(...bytes.subarray(3, length))
  // It goes into messages: nothing but what a ring takes for an id.
  return isKeyId(keyId) ? { keyId, length } : undefined
}
