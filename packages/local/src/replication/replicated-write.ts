/** Where a write went, as far as it decides when the secondary sees it. */
export interface ReplicatedWrite {
  /** The account. */
  readonly account: string
  /** The table in lower case; `undefined` for the properties of the account. */
  readonly table: string | undefined
  /** The partition; `undefined` for a table that comes or goes, and for its access policies. */
  readonly partitionKey: string | undefined
}

/** How far the secondary is behind. */
export interface ReplicationOptions {
  /**
   * How long a write takes to reach the secondary, in milliseconds by the service's clock, or a
   * function that says it for each write. Writes to one partition arrive in their order and batches
   * arrive whole, whatever the function says; writes to different partitions may overtake each other.
   *
   * @example
   * ```ts
   * const clock = manualClock()
   * const local = localTableService({ now: clock.now, replication: { lag: 60_000 } })
   * ```
   */
  readonly lag: number | ((write: ReplicatedWrite) => number)
}
