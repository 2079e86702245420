import { gcm } from '@noble/ciphers/aes'
import type * as node from '../../crypto/cipher.ts'

// In JavaScript, because WebCrypto has no synchronous calls and a merge reads a row without waiting.

/** Encrypts with AES-256-GCM: the ciphertext, then the tag of 16 bytes. */
export const encryptGcm: typeof node.encryptGcm = ({ key, nonce, context }, plaintext) =>
  gcm(key, nonce, context).encrypt(plaintext)

/** Decrypts a result of `encryptGcm`; `undefined` when the key, nonce, context or ciphertext differs. */
export const decryptGcm: typeof node.decryptGcm = ({ key, nonce, context }, sealed) => {
  try {
    return gcm(key, nonce, context).decrypt(sealed)
  } catch {
    return undefined // the cipher gives no other reason
  }
}
