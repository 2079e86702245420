import type { EncryptionKeys } from './encryption-keys.ts'

/**
 * Whether a value comes from `encryptionKeys`. It looks at the methods, so that a program that encrypts
 * nothing does not bundle the class and its cipher.
 */
export function isEncryptionKeys(value: unknown): value is EncryptionKeys {
  const { seal, open } = Object(value) as Partial<EncryptionKeys>
  return typeof seal === 'function' && typeof open === 'function'
}
