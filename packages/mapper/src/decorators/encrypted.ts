import type { IsSecret, Secret } from '@rowkey/query'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'
import { memberDecorator } from './member-decorator.ts'

/** What the compiler says of an encrypted member whose type does not say so. */
export interface SecretWanted {
  /** Never there at run time. */
  readonly 'declare the member as Secret<…>': never
}

/**
 * Nothing, for a member that is declared as a `Secret`; else what no member has.
 *
 * @example
 * ```ts
 * type A = WantsSecret<Secret<string> | undefined> // unknown
 * type B = WantsSecret<string>                     // SecretWanted
 * ```
 */
export type WantsSecret<Value> = IsSecret<NonNullable<Value>> extends true ? unknown : SecretWanted

/**
 * A decorator for a member whose type is a `Secret`; on any other it does not compile. It serves
 * classes compiled with standard decorators and with `experimentalDecorators`.
 */
export interface SecretDecorator {
  /** Standard, on a field. */
  <Value>(
    value: undefined,
    context: ClassFieldDecoratorContext<unknown, Value> & WantsSecret<Value>,
  ): void
  /** Standard, on an `accessor` field. */
  <Value>(
    value: ClassAccessorDecoratorTarget<never, Value>,
    context: ClassAccessorDecoratorContext<unknown, Value> & WantsSecret<Value>,
  ): void
  /** Standard, on a getter. */
  <Value>(
    value: (this: never) => Value,
    context: ClassGetterDecoratorContext<unknown, Value> & WantsSecret<Value>,
  ): void
  /** Standard, on a setter. */
  <Value>(
    value: (this: never, value: never) => void,
    context: ClassSetterDecoratorContext<unknown, Value> & WantsSecret<Value>,
  ): void
  /** Legacy, on any of them. */
  <Prototype extends object, Member extends keyof Prototype & string>(
    prototype: Prototype & WantsSecret<Prototype[Member]>,
    member: Member,
    descriptor?: PropertyDescriptor,
  ): void
  /** The type of the members that it fits. It exists for the compiler only. */
  readonly '~fits'?: (value: Secret<unknown> | null | undefined) => void
}

/**
 * A stored member that is encrypted, and declared as a `Secret` of its type.
 *
 * The value is encrypted with AES-256-GCM before it is sent, and stored as Binary; whoever reads the
 * table without the keys sees its length alone. It is bound to its entity and its property: a value
 * that was altered, or copied to another row or column, is refused when it is read. Keys stay in the
 * clear. Say the type beside it where the value cannot: `@Property('Int64')`.
 *
 * No filter can compare it; that does not compile, and throws an InputError. A merge sends it when it
 * changed; a replace always encrypts it afresh, with the current key.
 *
 * @param keys - from {@link encryptionKeys}
 * @throws {@link DecryptionError} by every read of an entity whose value is not as it was encrypted
 *
 * @example
 * ```ts
 * @Encrypted(keys) ssn?: Secret<string>
 * @Encrypted(keys) @Property('Double') salary?: Secret<number>
 * ```
 */
export function Encrypted(keys: EncryptionKeys): SecretDecorator {
  return memberDecorator({ decorators: ['Encrypted'], encryption: keys })
}
