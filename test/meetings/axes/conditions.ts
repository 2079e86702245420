/** Which version a write expects. */
export interface Condition {
  /**
   * Returns the option `etag`.
   *
   * @param current - the ETag of the row as it is stored now
   * @param earlier - the ETag of the row before another program changed it
   */
  etag(current: string | undefined, earlier: string): string | undefined
}

export const conditions = {
  'own ETag': { etag: () => undefined },
  'given ETag': { etag: (current) => current },
  'stale ETag': { etag: (_current, earlier) => earlier },
  '*': { etag: () => '*' },
} satisfies Readonly<Record<string, Condition>> as Readonly<Record<ConditionName, Condition>>

/** The names of the conditions. */
export type ConditionName = 'own ETag' | 'given ETag' | 'stale ETag' | '*'
