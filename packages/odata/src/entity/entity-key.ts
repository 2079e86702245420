import { compareOrdered, isWellFormed } from '../edm/edm-codecs.ts'
import { odataInputError } from '../errors/codes.ts'
import { describeKind } from '../errors/describe-kind.ts'

/** The key of an entity in its table: PartitionKey and RowKey together name exactly one entity. */
export interface EntityKey {
  /**
   * PartitionKey: up to 512 UTF-16 units, may be empty; without `/ \ # ?` and control characters.
   */
  readonly partitionKey: string
  /** RowKey: the same rules. */
  readonly rowKey: string
}

/**
 * Compares two keys in the order of a table: by PartitionKey, then by RowKey, by UTF-16 units.
 *
 * @returns a negative number, zero or a positive number
 */
export function compareKeys(one: EntityKey, other: EntityKey): number {
  return (
    compareOrdered(one.partitionKey, other.partitionKey) || compareOrdered(one.rowKey, other.rowKey)
  )
}

/** Rejects an invalid key: {@link checkEntityKey}, or {@link checkKeyText}. */
export type KeyCheck = (key: EntityKey) => void

/** The most UTF-16 units a PartitionKey or a RowKey has: 1 KiB. */
export const MAX_KEY_UNITS = 512

/**
 * Matches every character that the service forbids in a key: `/ \ # ?`, control characters and halves of
 * surrogate pairs.
 */
export const forbiddenInKeys: RegExp = /[/\\#?\p{Cc}\p{Surrogate}]/u

/**
 * Rejects a key that the service cannot store. Blanks and the empty string are fine.
 *
 * @param key - PartitionKey and RowKey
 * @throws `InputError` (`InvalidEntityKey`) when a half is not a string, is longer than 512 UTF-16
 * units, or contains `/ \ # ?`, a control character or half of a surrogate pair
 *
 * @example
 * ```ts
 * checkEntityKey({ partitionKey: 'Smith', rowKey: 'a/b' }) // throws: RowKey must not contain /
 * ```
 */
export function checkEntityKey(key: EntityKey): void {
  checkHalf(key?.partitionKey, 'PartitionKey', ruleFault)
  checkHalf(key?.rowKey, 'RowKey', ruleFault)
}

/**
 * Rejects a key that no request can carry, and leaves all other rules to the service.
 *
 * @param key - PartitionKey and RowKey
 * @throws `InputError` (`InvalidEntityKey`) when a half is not a string, or contains half of a
 * surrogate pair
 */
export function checkKeyText(key: EntityKey): void {
  checkHalf(key?.partitionKey, 'PartitionKey', textFault)
  checkHalf(key?.rowKey, 'RowKey', textFault)
}

/** The problem of a text, in words after the name of its half; `undefined` for a valid text. */
type FaultOf = (value: string) => string | undefined

function checkHalf(value: unknown, property: 'PartitionKey' | 'RowKey', faultOf: FaultOf): void {
  const fault =
    typeof value === 'string' ? faultOf(value) : `must be a string; got ${describeKind(value)}.`
  if (fault === undefined) return
  throw odataInputError('InvalidEntityKey', `${property} ${fault}`, { property })
}

function ruleFault(value: string): string | undefined {
  if (value.length > MAX_KEY_UNITS) {
    return `has ${value.length} UTF-16 units; the limit is ${MAX_KEY_UNITS}.`
  }
  const at = value.search(forbiddenInKeys)
  return at < 0 ? undefined : (textFault(value.charAt(at)) ?? characterFault(value, at))
}

function characterFault(value: string, at: number): string {
  const code = value.charCodeAt(at)
  const character = code > 0x20 && code < 0x7f ? `"${value[at]}"` : hexOf(code)
  return `must not contain / \\ # ? or control characters; it has ${character} at position ${at}. Escape it, for example with :escaped in a key template.`
}

function textFault(value: string): string | undefined {
  if (isWellFormed(value)) return undefined
  return 'contains half of a surrogate pair, which UTF-8 cannot carry. Remove it.'
}

function hexOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
