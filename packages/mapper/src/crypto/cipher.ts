import { createCipheriv, createDecipheriv } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const TAG_BYTES = 16

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
