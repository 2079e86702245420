import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  timingSafeEqual,
} from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16

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

/** The parameters of {@link encryptGcm}, which {@link decryptGcm} needs too. */
export interface GcmParameters {
  /** 32 bytes. */
  readonly key: Uint8Array
  /** 12 bytes, unique for each encryption with one key. */
  readonly nonce: Uint8Array
  /** Bytes that are authenticated, but not encrypted. */
  readonly context: Uint8Array
}

/** Encrypts with AES-256-GCM: the ciphertext, then the tag of 16 bytes. */
export function encryptGcm(
  { key, nonce, context }: GcmParameters,
  plaintext: Uint8Array,
): Uint8Array {
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(context)
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()])
}

/**
 * Decrypts a result of {@link encryptGcm}.
 *
 * @returns the plaintext; `undefined` when the key, nonce, context or ciphertext differs
 */
export function decryptGcm(
  { key, nonce, context }: GcmParameters,
  sealed: Uint8Array,
): Uint8Array | undefined {
  const end = sealed.length - TAG_BYTES
  if (end < 0) return undefined
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(context).setAuthTag(sealed.subarray(end))
  try {
    // A plain Uint8Array: a Buffer looks different in JSON and in types.
    return new Uint8Array(
      Buffer.concat([decipher.update(sealed.subarray(0, end)), decipher.final()]),
    )
  } catch {
    return undefined // the cipher gives no other reason
  }
}
