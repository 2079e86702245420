import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ALGORITHM = 'aes-256-cbc'
const IV_BYTES = 16

/**
 * Encrypts bytes with AES-256-CBC. The result begins with a random IV of 16 bytes.
 *
 * @param plain - the bytes
 * @param key - 32 bytes
 */
export function encrypt(plain: Uint8Array, key: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv)
  return Buffer.concat([iv, cipher.update(plain), cipher.final()])
}

/**
 * Decrypts bytes of {@link encrypt}. The format has no authentication: sign the entities, too.
 *
 * @param sealed - the bytes
 * @param key - 32 bytes
 * @throws an Error of `node:crypto` for another key or other bytes, as far as the padding shows it
 */
export function decrypt(sealed: Uint8Array, key: Uint8Array): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES)), decipher.final()])
}
