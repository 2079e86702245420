import type { EdmType, EdmValue } from '@rowkey/odata'
import type { IsSecret, Secret } from '@rowkey/query'
import type { Converter } from '../convert/converter.ts'
import type { EncryptionKeys } from '../encryption/encryption-keys.ts'

/** An array whose values are stored one by one. */
export interface Series {
  /** The type of the values. */
  readonly type: EdmType
  /** How many values there are. */
  readonly slots: number
}

/** The rule of one property in `columns` of {@link defineEntity}. */
export interface ColumnRule {
  /** The keys that encrypt its values. */
  readonly encryption?: EncryptionKeys | undefined
  /** Whether it is unencrypted on purpose. */
  readonly plain?: boolean | undefined
  /** `'Int64'` stores the safe integers of a number as Int64, as `@Int64({ as: 'number' })` does in a class. */
  readonly type?: 'Int64' | undefined
  /** The converter of its values. */
  readonly converter?: Converter | undefined
  /** The type of long values that are cut: text or bytes. */
  readonly chunkType?: 'String' | 'Binary' | undefined
  /** How the values of an array are stored, each in a property of its own. */
  readonly series?: Series | undefined
}

/** The rule of an encrypted property, from {@link encrypted}. */
export interface EncryptedColumn extends ColumnRule {
  readonly encryption: EncryptionKeys
}

/**
 * Valid rules: each for a property of the schema.
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

/** The rules of several properties by name. */
export type ColumnRules = Readonly<Record<string, ColumnRule | undefined>>

/**
 * The names of the encrypted properties.
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
 * Values with the encrypted ones as `Secret`.
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
 * A value as a `Secret`; null and undefined stay as they are.
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
 * Encrypts a property, as `Encrypted` does in a class. For `columns` of {@link defineEntity}.
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
 * Marks a property as unencrypted on purpose, as {@link Plain} does in a class. For `columns` of {@link
 * defineEntity}.
 *
 * @example
 * ```ts
 * defineEntity({ name: 'patients', columns: { ward: plain() }, … })
 * ```
 */
export function plain(): ColumnRule {
  return Object.freeze({ plain: true })
}

/**
 * Converts the values of a property, as {@link Convert} and {@link Json} do in a class. For `columns` of
 * {@link defineEntity}. Objects and arrays of a schema are converted to JSON by default.
 *
 * @param converter - converts the values
 *
 * @example
 * ```ts
 * defineEntity({ name: 'people', columns: { address: converted(jsonText()) }, … })
 * ```
 */
export function converted<Value, Stored extends EdmValue>(
  converter: Converter<Value, Stored>,
): ColumnRule {
  // The converter receives only values that the schema accepts, and its own results.
  return Object.freeze({ converter })
}

/**
 * Stores text of any length in a property, as {@link Text} does in a class. For `columns` of {@link
 * defineEntity}; it can be spread into other rules.
 *
 * @example
 * ```ts
 * defineEntity({ name: 'people', columns: { notes: longText(), log: { ...converted(jsonText()), ...longText() } }, … })
 * ```
 */
export function longText(): ColumnRule {
  return Object.freeze({ chunkType: 'String' })
}

/**
 * Stores bytes of any length in a property, as {@link Blob} does in a class. For `columns` of {@link
 * defineEntity}.
 *
 * @example
 * ```ts
 * defineEntity({ name: 'people', columns: { photo: longBytes() }, … })
 * ```
 */
export function longBytes(): ColumnRule {
  return Object.freeze({ chunkType: 'Binary' })
}

/**
 * Stores each value of an array in a property of its own, such as the 24 hours of a day as `h00` to `h23`. A merge sends the values that
 * changed, and the others stay as they are. For `columns` of {@link defineEntity}. The schema of the property is an array of values
 * that may be missing, and its stored name begins the names of the values.
 *
 * @param type - the stored type of the values
 * @param slots - how many values there are: at most 252, with the other properties of the row
 *
 * @example
 * ```ts
 * defineEntity({
 *   name: 'stats',
 *   schema: z.object({ employee: z.string(), day: z.string(), hours: z.array(z.int32().optional()) }),
 *   columns: { hours: series('Int32', 24) },
 *   storeAs: { hours: 'h' }, // h00 to h23
 *   …
 * })
 * ```
 */
export function series(type: EdmType, slots: number): ColumnRule {
  return Object.freeze({ series: Object.freeze({ type, slots }) })
}
