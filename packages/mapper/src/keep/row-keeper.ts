import type { EntityKey, FilterNode, RawEntity } from '@rowkey/odata'
import type { BatchError, CallOptions, Change, TableService, WriteResult } from '@rowkey/rest'
import type { RowSource } from '../rows/entity-source.ts'

/** The table that keepers keep in step. */
export interface KeptTable {
  /** Sends requests, and has the clock. */
  readonly service: TableService
  /** The name of the table. */
  readonly name: string
}

/** The effect of one write on one row. */
export interface RowTransition {
  /** PartitionKey and RowKey. */
  readonly key: EntityKey
  /**
   * The row before the write, `undefined` for a new row. The write is conditional on this version, so the
   * transition is exact: if the row changes first, nothing of the transaction is stored.
   */
  readonly before: RawEntity | undefined
  /** The row after the write, `undefined` when it is deleted. */
  readonly after: RawEntity | undefined
}

/** One call of {@link RowKeeper.plan}. */
export interface KeptCall {
  /** The table that is written. */
  readonly table: KeptTable
  /** The `Account` that opened the table; `keepRows` passes it to every keeper. */
  readonly account?: object | undefined
  /** All rows that the call writes, also those of other models of a union. */
  readonly written: readonly RowTransition[]
  /** Counts the attempts of this call, from 1. Each attempt reads what it depends on again. */
  readonly attempt: number
  /** The options for requests of the keeper, with the deadline of the whole call. */
  readonly options: CallOptions
}

/** Partitions whose entities were deleted, for {@link RowKeeper.follow}. */
export interface DeletedPartitions {
  /** The condition that their rows meet. */
  readonly condition: FilterNode
  /** What their PartitionKeys begin with. */
  readonly beginning: string
  /** Whether there is one partition, whose PartitionKey is the beginning. */
  readonly isOne: boolean
}

/** What must be stored together with some writes. */
export interface KeptPlan {
  /**
   * Writes of other rows in the same table and partition, for the same transaction. They are evidence after a lost response: an insert whose
   * content is found proves that the transaction was applied, and a missing row of an insert or an upsert that it was not. So give an
   * inserted row a unique value, and remove `reconcile` from rows that other writes share.
   */
  readonly companions: readonly Change[]
  /**
   * Whether the companions belong to other writes. An equal insert or update of another plan is then added, not merged with it.
   *
   * @defaultValue `false`
   */
  readonly isOfOtherWrites?: boolean | undefined
  /**
   * How often the writes are planned and sent, when other programs change the rows of the plan first.
   *
   * @defaultValue 10
   */
  readonly attempts?: number | undefined
  /**
   * Says what the row of a companion holds, for the error of a write that was rejected in each attempt.
   *
   * @param index - which companion, from 0
   */
  keptFor?(index: number): string
  /**
   * Learns that the transaction was applied; absent when that does not matter.
   *
   * @param results - of the companions, each with its new ETag
   */
  applied?(results: readonly WriteResult[]): void
  /**
   * Decides what follows when the service rejected a companion, and with it the whole transaction.
   *
   * @param index - which companion, from 0
   * @param error - the error of the transaction
   * @returns the error of the caller's write; `undefined` to plan again
   */
  rejected(index: number, error: BatchError): Promise<Error | undefined>
}

/**
 * Keeps other rows in step with the rows of a model, in the same transaction: index entries, counts, or the
 * messages of an outbox. {@link keepRows} registers it. The RowKeys of kept rows that are not entities begin with `keptMark`, and queries leave them out.
 */
export interface RowKeeper {
  /**
   * Why rows must not be copied into a table of the model as they are stored, as a sentence with the fix: `copyTo` rejects them
   * with it. Absent when they may be copied.
   */
  readonly uncopied?: string | undefined
  /**
   * Whether writes of one partition change a row together, such as a count. The writes of one process to a partition then follow one
   * another, because all but one of those at once would be rejected.
   */
  readonly isShared?: boolean | undefined
  /**
   * Changes now what follows from deleted entities in other partitions, tables or stores, which a worker or a sweep would change later.
   * Absent when the keeper has rows in the partitions of the entities only.
   *
   * @param partitions - those of the entities
   * @param call - the table, the account that opened it, and the options
   * @throws any error, when something is left
   */
  follow?(
    partitions: DeletedPartitions,
    call: Pick<KeptCall, 'table' | 'account' | 'options'>,
  ): Promise<void>
  /**
   * Tells whether a merge of some properties matters to the keeper. A merge that matters to no keeper is sent
   * alone, and costs nothing more.
   *
   * @param names - the stored names of the properties
   * @param table - the table that is written
   */
  touches(names: ReadonlySet<string>, table: KeptTable): boolean
  /**
   * Plans the rows that are stored together with some writes of one partition.
   *
   * @param transitions - what the writes do, each to another row
   * @param call - the table, the attempt and the options
   * @throws any error; then nothing is sent, and the caller gets it
   */
  plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan>
  /**
   * Returns a source that finds the rows of some queries at less cost, and leaves the others to the one that sends the filter; absent
   * when the filter is always sent. Both give the same rows in the same order.
   *
   * @param own - sends the filter, from any position in the rows
   * @param table - the table of the queries
   * @internal
   */
  source?<Entity>(own: RowSource<Entity>, table: KeptTable): RowSource<Entity>
}
