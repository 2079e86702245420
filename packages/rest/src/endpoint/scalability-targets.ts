/**
 * Lists what Azure Table Storage is built to carry, as its documentation states it. The service throttles
 * requests beyond these targets, with the status 503 and the code `ServerBusy`; Rowkey retries them.
 *
 * Cosmos DB has other targets, which depend on the account's throughput.
 *
 * @see https://learn.microsoft.com/azure/storage/tables/scalability-targets
 *
 * @example
 * ```ts
 * const seconds = rows.length / scalabilityTargets.tableOperationsPerSecond
 * ```
 */
export const scalabilityTargets: ScalabilityTargets = Object.freeze({
  tableOperationsPerSecond: 20_000,
  partitionOperationsPerSecond: 2_000,
  accountTerabytes: 500,
  readableSecondaries: 1,
})

/** The members of {@link scalabilityTargets}. */
export interface ScalabilityTargets {
  /** The operations on entities of 1 KiB per second in one table, and in one account: 20,000. */
  readonly tableOperationsPerSecond: number
  /** The operations on entities of 1 KiB per second in one partition: 2,000. */
  readonly partitionOperationsPerSecond: number
  /** The capacity of an account in terabytes: 500. */
  readonly accountTerabytes: number
  /** The regions besides the primary that serve reads: one, when the account has read access to it. */
  readonly readableSecondaries: number
}
