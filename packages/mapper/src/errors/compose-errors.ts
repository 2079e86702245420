import { type DecodeError, type EdmType, type EntityKey, InputError } from '@rowkey/odata'
import { mapperDecodeError, mapperInputError } from './codes.ts'

/** The options of {@link conversionFailed}. */
export interface ConversionFailure {
  /** Class and member, such as `Customer.address`. */
  readonly property: string
  /** The action that failed. */
  readonly action: 'written' | 'read'
  /** The message: the problem, the rule, and the fix. */
  readonly problem: string
  /** The error of the converter. */
  readonly cause?: unknown
}

/** Makes the error of a value that cannot be converted. */
export function conversionFailed({
  property,
  action,
  problem,
  cause,
}: ConversionFailure): InputError {
  const message = `${property} cannot be ${action}: ${problem}`
  const isUnsafe = cause instanceof InputError && cause.code === 'UnsafeInteger'
  const code = isUnsafe ? 'UnsafeInteger' : 'ConversionFailed'
  return mapperInputError({ code, message, details: { property }, cause })
}

/**
 * Makes the error of a value that cannot be a part of a key.
 *
 * @param property - the property that is a part of the key
 * @param problem - the message: the problem, the rule, and the fix
 */
export function invalidKeyPart(property: string, problem: string): InputError {
  const message = `${property}: ${problem}`
  return mapperInputError({ code: 'InvalidKeyPart', message, details: { property } })
}

/**
 * Makes the error of a row of an unknown type.
 *
 * @param key - the key of the row
 * @param known - how each type is recognized: `Order (RowKey 0002_…)`
 */
export function unknownType(key: EntityKey, known: readonly string[]): DecodeError {
  const { partitionKey, rowKey } = key
  return mapperDecodeError({
    code: 'UnknownType',
    message:
      `The row ${keyText(key)} does not belong to a known type: ` +
      `${known.join(', ')}. Add its type to the union, or read rows of other types with ` +
      "union(…, { unknown: 'dynamic' }).",
    details: { partitionKey, rowKey },
  })
}

/** The options of the error of a row of another version. */
export interface VersionFailure {
  /** The model that should read the row. */
  readonly className: string
  /** The key of the row. */
  readonly key: EntityKey
  /** The version of the row; `undefined` when the stored value is not a version. */
  readonly stored: number | undefined
  /** The problem, and the fix. */
  readonly problem: string
}

/** Makes the error of a row whose version this program cannot read. */
export function unreadableVersion(failure: VersionFailure): DecodeError {
  const { className, key, stored, problem } = failure
  const { partitionKey, rowKey } = key
  return mapperDecodeError({
    code: 'UnreadableVersion',
    message: `${className}: the row ${keyText(key)} ${problem}`,
    details: { partitionKey, rowKey, storedVersion: stored },
  })
}

/** Why a property that an object does not show may be stored. */
export const UNKNOWN_OUTCOME = 'the outcome of an earlier write is unknown'

/**
 * Makes the error of a merge that would remove a property.
 *
 * @param problem - which property, and why it may be stored
 * @param fix - what to do, as whole sentences
 * @param details - the property, and its type where it is known
 */
export function cannotRemove(
  problem: string,
  fix: string,
  details: { readonly property: string; readonly type?: EdmType | undefined },
): InputError {
  const message = `${problem}: a merge cannot remove a property. ${fix}`
  return new InputError({ code: 'InvalidPropertyValue', message, details })
}

/** Prints a key for a message: `["Smith","Jeff"]`. */
export function keyText({ partitionKey, rowKey }: EntityKey): string {
  return JSON.stringify([partitionKey, rowKey])
}
