/** What identifies a query. */
export interface DigestedQuery {
  /** The table; absent when tables are listed. */
  readonly table?: string | undefined
  /** The `$filter`. */
  readonly filter?: string | undefined
  /** The `$select`. */
  readonly select?: readonly string[] | undefined
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
export function queryDigest({ table, filter, select }: DigestedQuery): string {
  const parts = [table?.toLowerCase() ?? null, filter ?? '', ...(select ?? [])]
  return fnv1a(JSON.stringify(parts)).toString(36)
}

/** The 32 bits of FNV-1a over UTF-16 units. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return hash >>> 0
}
