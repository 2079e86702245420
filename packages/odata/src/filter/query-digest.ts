/** What identifies a query. */
export interface DigestedQuery {
  /** The table; absent when tables are listed. */
  readonly table?: string | undefined
  /** The `$filter`. */
  readonly filter?: string | undefined
  /** The `$select`. */
  readonly select?: readonly string[] | undefined
  /** What decides the order of the rows; absent when nothing changes it. */
  readonly order?: string | undefined
}

/**
 * Makes a short text that identifies a query. It detects queries that are mixed up by mistake, and not
 * ones that an attacker crafts.
 *
 * `$top` is not part of it, because the size of a page does not change where a query continues. A program
 * may use another size for the next page.
 *
 * @param query - table, filter and select
 */
export function queryDigest({ table, filter, select, order = '' }: DigestedQuery): string {
  const parts = [table?.toLowerCase() ?? null, filter ?? '', ...(select ?? [])]
  return fnv1a(JSON.stringify(parts) + order).toString(36)
}

/**
 * Hashes a text with FNV-1a, unit by unit. It finds mistakes, not attacks.
 *
 * @param text - the text
 * @param seed - the start of the hash; another one gives another hash
 * @returns a whole number of 32 bits, 0 or more
 *
 * @example
 * ```ts
 * fnv1a('a') // 3826002220
 * ```
 */
export function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
