import type { IsSecret, Secret } from '@rowkey/query'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'
import { type AnyMemberDecorator, type DecoratedType, memberDecorator } from './member-decorator.ts'

/** The sentence that the compiler shows for an encrypted member that is not declared as a `Secret`. */
export type SecretWanted = 'Encrypted() needs a Secret: declare the property as Secret<…>'

/**
 * A decorator for a member whose type is a `Secret`. On a member of another type it does not compile. It works
 * with standard decorators and with `experimentalDecorators`.
 */
export interface SecretDecorator {
  /** Standard: a value and a context. Legacy: the prototype and the member's name. */
  <Target, Member extends PropertyKey | object>(
    target: Target,
    member: IsSecret<NonNullable<DecoratedType<Target, Member>>> extends true
      ? Member
      : SecretWanted,
    descriptor?: PropertyDescriptor,
  ): void
  /** The type of the members that it accepts. For the compiler only. */
  readonly '~fits'?: (value: Secret<unknown> | null | undefined) => void
}

/**
 * Stores a member encrypted. It must be declared as a `Secret` of its type.
 *
 * The value is encrypted with AES-256-GCM before it is sent, and stored as Binary. Without the keys, readers of
 * the table see only its length. It is bound to its entity and its property: a read rejects a value that was
 * altered, or copied to another row or property. PartitionKey and RowKey stay in the clear. Give the type beside
 * it where the value does not show it: `@Property('Int64')`.
 *
 * Filters cannot compare it: they do not compile, and throw an InputError. A merge sends it when it changed; a
 * replace always encrypts it again, with the current key.
 *
 * @param keys - from {@link encryptionKeys}
 * @throws DecodeError (`DecryptionFailed`) when an entity is read whose value is not as it was encrypted
 *
 * @example
 * ```ts
 * @Encrypted(keys) ssn?: Secret<string>
 * @Encrypted(keys) @Property('Double') salary?: Secret<number>
 * ```
 */
export function Encrypted(keys: EncryptionKeys): SecretDecorator {
  return memberDecorator('Encrypted', { encryption: keys })
}

/**
 * Stores a member in the clear on purpose, because queries compare it or other programs read it. An account
 * that requires encryption rejects classes with a member that has neither this decorator nor
 * `Encrypted`. On other accounts it changes nothing.
 *
 * @example
 * ```ts
 * @Plain() ward?: string
 * ```
 */
export function Plain(): AnyMemberDecorator {
  return memberDecorator('Plain', { plain: true })
}
