import type { EncryptionKeys } from './encryption-keys.ts'

/**
 * Whether a value comes from `encryptionKeys`. It checks the methods, so that a program without
 * encryption does not bundle the class and its cipher.
 */
export function isEncryptionKeys(value: unknown): value is EncryptionKeys {
  const { seal, open } = Object(value) as Partial<EncryptionKeys>
  return typeof seal === 'function' && typeof open === 'function'
}
