/** What makes a query the one that it is. */
export interface DigestedQuery {
  /** The table; absent when tables are listed. */
  readonly table?: string | undefined
  /** The `$filter`. */
  readonly filter?: string | undefined
  /** The `$select`. */
  readonly select?: readonly string[] | undefined
}

/**
 * A short text by which a query is known again. It tells queries apart that are mixed up by mistake;
 * it is no proof against someone who wants to mislead.
 *
 * `$top` is not in it: how many rows a page has says nothing about where to go on, and a program may
 * ask for more or fewer of them next time.
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
