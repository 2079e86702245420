import type { IsSecret, Secret } from '@rowkey/query'
import type { Converter } from '../convert/converter.ts'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'

/** What {@link defineEntity} is told of one property beside its schema. */
export interface ColumnRule {
  /** What its values are encrypted with. */
  readonly encryption?: EncryptionKeys | undefined
  /** It is in the clear on purpose. */
  readonly plain?: boolean | undefined
  /** What its values are converted by. */
  readonly converter?: Converter | undefined
  /** Long values are cut, and they are text or bytes. */
  readonly chunkType?: 'String' | 'Binary' | undefined
}

/** The rule of a property that is encrypted, from {@link encrypted}. */
export interface EncryptedColumn extends ColumnRule {
  readonly encryption: EncryptionKeys
}

/**
 * Rules as they must be: each about a property that there is.
 *
 * @example
 * ```ts
 * type A = ColumnFit<{ ssn: EncryptedColumn }, 'id' | 'ssn'> // { ssn: ColumnRule }
 * type B = ColumnFit<{ sn: EncryptedColumn }, 'id' | 'ssn'>  // { sn: never }, which is an error
 * ```
 */
export type ColumnFit<Columns, Names> = {
  readonly [Name in keyof Columns]: Name extends Names ? ColumnRule : never
}

/** The rules of several properties, by their names. */
export type ColumnRules = Readonly<Record<string, ColumnRule | undefined>>

/**
 * The names of the properties that are encrypted.
 *
 * @example
 * ```ts
 * type A = SecretName<{ ssn: EncryptedColumn; note: ColumnRule }> // 'ssn'
 * ```
 */
export type SecretName<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends EncryptedColumn ? Name : never
}[keyof Columns]

/**
 * Values of which some are encrypted, and therefore `Secret`.
 *
 * @example
 * ```ts
 * type A = WithSecrets<{ id: string; ssn?: string }, 'ssn'> // { id: string; ssn?: Secret<string> }
 * ```
 */
export type WithSecrets<Values, Secrets extends PropertyKey> = [Secrets] extends [never]
  ? Values
  : { [Name in keyof Values]: Name extends Secrets ? SecretOf<Values[Name]> : Values[Name] }

/**
 * A value as a secret; null and undefined stay what they are.
 *
 * @example
 * ```ts
 * type A = SecretOf<string | undefined> // Secret<string> | undefined
 * ```
 */
export type SecretOf<Value> = Value extends null | undefined
  ? Value
  : IsSecret<Value> extends true
    ? Value
    : Secret<Value>

/**
 * Says in `columns` of {@link defineEntity} that a property is encrypted, as `Encrypted` says it
 * of a member of a class.
 *
 * @param keys - from {@link encryptionKeys}
 *
 * @example
 * ```ts
 * defineEntity({ name: 'patients', columns: { ssn: encrypted(keys) }, … })
 * ```
 */
export function encrypted(keys: EncryptionKeys): EncryptedColumn {
  return Object.freeze({ encryption: keys })
}

/**
 * Says in `columns` of {@link defineEntity} that a property is in the clear on purpose, as
 * {@link Plain} says it of a member of a class.
 *
 * @example
 * ```ts
 * defineEntity({ name: 'patients', columns: { ward: plain() }, … })
 * ```
 */
export function plain(): ColumnRule {
  return Object.freeze({ plain: true })
}
