import { createHmac, timingSafeEqual } from 'node:crypto'

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
