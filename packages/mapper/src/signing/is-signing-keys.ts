import type { SigningKeys } from './signing-keys.ts'

/**
 * Whether a value comes from `signingKeys`. It checks the methods, so that a program without signing does
 * not bundle the class.
 */
export function isSigningKeys(value: unknown): value is SigningKeys {
  const { sign, findFault } = Object(value) as Partial<SigningKeys>
  return typeof sign === 'function' && typeof findFault === 'function'
}
