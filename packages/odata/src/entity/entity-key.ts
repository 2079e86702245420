import { isWellFormed } from '../edm/json-text.ts'
import { EntityKeyError } from '../errors/entity-key-error.ts'

/** Where an entity lives in its table: PartitionKey and RowKey together name exactly one entity. */
export interface EntityKey {
  /** PartitionKey: up to 512 UTF-16 units, may be empty; no `/ \ # ?` and no control characters. */
  readonly partitionKey: string
  /** RowKey: the same rules. */
  readonly rowKey: string
}

/** The most UTF-16 units a PartitionKey or a RowKey holds: 1 KiB. */
export const MAX_KEY_UNITS = 512

const FORBIDDEN = /[/\\#?\p{Cc}]/u

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
  checkHalf(key?.partitionKey, 'PartitionKey')
  checkHalf(key?.rowKey, 'RowKey')
}

function checkHalf(value: unknown, property: 'PartitionKey' | 'RowKey'): void {
  const fault = faultOf(value)
  if (fault === undefined) return
  throw new EntityKeyError({ property, message: `${property} is refused: ${fault}.` })
}

function faultOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return `it must be a string, and this is ${kindOf(value)}`
  if (value.length > MAX_KEY_UNITS) {
    return `it has at most ${MAX_KEY_UNITS} UTF-16 units, and this has ${value.length}`
  }
  const at = value.search(FORBIDDEN)
  if (at >= 0) {
    const code = value.charCodeAt(at)
    const character = code > 0x20 && code < 0x7f ? `"${value[at]}"` : hexOf(code)
    return `it holds no / \\ # ? and no control characters, and this has ${character} at ${at}; escape it first`
  }
  if (!isWellFormed(value))
    return 'half of a surrogate pair stands alone in it, which UTF-8 cannot carry'
  return undefined
}

function kindOf(value: unknown): string {
  return value === null || value === undefined ? String(value) : `a ${typeof value}`
}

function hexOf(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
