import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Hashes bytes with SHA-256: 32 bytes. */
export function sha256(content: Uint8Array): Uint8Array {
  return createHash('sha256').update(content).digest()
}

/**
 * Authenticates bytes with HMAC-SHA-256: 32 bytes.
 *
 * @param key - of any length
 * @param content - any bytes
 */
export function hmacSha256(key: Uint8Array, content: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(content).digest()
}

/** Compares bytes in a time that does not depend on where they differ. */
export function equalBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && timingSafeEqual(left, right)
}
