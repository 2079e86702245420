import type { SigningKeys } from './signing-keys.ts'

/**
 * Whether a value comes from `signingKeys`. It looks at the methods, so that a program that signs nothing
 * does not bundle the class.
 */
export function isSigningKeys(value: unknown): value is SigningKeys {
  const { sign, findFault } = Object(value) as Partial<SigningKeys>
  return typeof sign === 'function' && typeof findFault === 'function'
}
