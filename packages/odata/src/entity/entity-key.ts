import { isWellFormed } from '../edm/json-text.ts'
import { EntityKeyError } from '../errors/entity-key-error.ts'

/** Where an entity lives in its table: PartitionKey and RowKey together name exactly one entity. */
export interface EntityKey {
  /** PartitionKey: up to 512 UTF-16 units, may be empty; no `/ \ # ?` and no control characters. */
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
  return order(one.partitionKey, other.partitionKey) || order(one.rowKey, other.rowKey)
}

function order(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Refuses a key, or does nothing: {@link checkEntityKey}, or {@link checkKeyText}. */
export type KeyCheck = (key: EntityKey) => void

/** The most UTF-16 units a PartitionKey or a RowKey holds: 1 KiB. */
export const MAX_KEY_UNITS = 512

/** What the service forbids, and halves of surrogate pairs that stand alone. */
const REFUSED = /[/\\#?\p{Cc}\p{Surrogate}]/u

/**
 * Refuses a key that the service cannot store. Blanks and the empty string are fine.
 *
 * @param key - PartitionKey and RowKey
 * @throws {@link EntityKeyError} when one is not a string, is longer than 512 UTF-16 units, or
 * holds `/ \ # ?`, a control character or half of a surrogate pair
 *
 * @example
 * ```ts
 * checkEntityKey({ partitionKey: 'Smith', rowKey: 'a/b' }) // throws: RowKey holds "/"
 * ```
 */
export function checkEntityKey(key: EntityKey): void {
  checkHalf(key?.partitionKey, 'PartitionKey', ruleFault)
  checkHalf(key?.rowKey, 'RowKey', ruleFault)
}

/**
 * Refuses a key that no request can carry, and leaves the rest to the service.
 *
 * @param key - PartitionKey and RowKey
 * @throws {@link EntityKeyError} when one is not a string, or holds half of a surrogate pair
 */
export function checkKeyText(key: EntityKey): void {
  checkHalf(key?.partitionKey, 'PartitionKey', textFault)
  checkHalf(key?.rowKey, 'RowKey', textFault)
}

/** What is wrong with a text, after "PartitionKey is refused:"; `undefined` when nothing is. */
type FaultOf = (value: string) => string | undefined

function checkHalf(value: unknown, property: 'PartitionKey' | 'RowKey', faultOf: FaultOf): void {
  const fault = typeof value === 'string' ? faultOf(value) : kindFault(value)
  if (fault === undefined) return
  throw new EntityKeyError({ property, message: `${property} is refused: ${fault}.` })
}

function ruleFault(value: string): string | undefined {
  if (value.length > MAX_KEY_UNITS) {
    return `it has at most ${MAX_KEY_UNITS} UTF-16 units, and this has ${value.length}`
  }
  const at = value.search(REFUSED)
  return at < 0 ? undefined : (textFault(value.charAt(at)) ?? characterFault(value, at))
}

function characterFault(value: string, at: number): string {
  const code = value.charCodeAt(at)
  const character = code > 0x20 && code < 0x7f ? `"${value[at]}"` : hexOf(code)
  return `it holds no / \\ # ? and no control characters, and this has ${character} at ${at}; escape it first`
}

function textFault(value: string): string | undefined {
  if (isWellFormed(value)) return undefined
  return 'half of a surrogate pair stands alone in it, which UTF-8 cannot carry'
}

function kindFault(value: unknown): string {
  const kind = value === null || value === undefined ? String(value) : `a ${typeof value}`
  return `it must be a string, and this is ${kind}`
}

function hexOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
