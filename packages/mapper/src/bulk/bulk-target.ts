import type { CallOptions, Change, TableService, WriteResult } from '@rowkey/rest'

/** The operations by which a bulk writer writes an entity. */
export type BulkKind =
  | 'insert'
  | 'merge'
  | 'replace'
  | 'insertOrMerge'
  | 'insertOrReplace'
  | 'delete'

/** One operation of the input of a bulk writer. */
export interface BulkOperation {
  /** The method of a table that does the same. */
  readonly kind: BulkKind
  /** The entity that is written, or the entity or key that is deleted. */
  readonly subject: object
  /** The ETag to match; `undefined` for the entity's own. */
  readonly etag: string | undefined
  /** Its change, if it was made before; absent when it is to be made from the entity as it is. */
  readonly prepared?: BulkChange | undefined
}

/** How a bulk writer reads the items of its input. */
export interface ItemRule {
  /** How each item is written; absent when the items are operation values. */
  readonly kind?: BulkKind | undefined
  /** The ETag to match; absent for the entity's own. */
  readonly etag?: string | undefined
}

/** An operation that is ready to be sent, and the object that observes its outcome. */
export interface BulkChange extends Change {
  /** The object that is written or deleted; `undefined` when only a key is known. */
  readonly entity: object | undefined
}

/** Changes a stored entity after a conflict. */
export type BulkModifier = (stored: object) => unknown

/** One table, as a bulk writer needs it. */
export interface BulkTarget {
  /** The account of the table. */
  readonly service: TableService
  /** The table's name. */
  readonly table: string
  /**
   * Makes an operation of an item of the input.
   *
   * @throws an InputError for an invalid item
   */
  toOperation(item: unknown, rule: ItemRule): BulkOperation
  /**
   * Makes the change of an operation, from its entity as it is now.
   *
   * @returns `undefined` when nothing is to be sent, because nothing changed
   * @throws an InputError for an entity that cannot be written
   */
  change(operation: BulkOperation): BulkChange | undefined
  /**
   * Counts the bytes of a change in a transaction.
   *
   * @throws an InputError for a change that the service would reject, such as an entity that is too large
   */
  bytesOf(change: BulkChange): number
  /** The members that digests of its entities leave out. */
  readonly undigested: ReadonlySet<string>
  /** Returns the ETag that an entity is known to have; `undefined` when it has none. */
  etagOf(entity: object): string | undefined
  /** Sends changes of one partition, in one transaction when there are several. */
  send(changes: readonly BulkChange[], options: CallOptions): Promise<readonly WriteResult[]>
  /**
   * Tells whether a row has exactly the content that a change sends.
   *
   * @returns the ETag of the row; `undefined` when it is missing or has other content
   */
  storedEtag(change: BulkChange, options: CallOptions): Promise<string | undefined>
  /**
   * Reads the entity of a change that met a conflict, lets a function change it, and writes the changes.
   *
   * @returns the ETag of the entity that is stored now
   */
  modify(
    change: BulkChange,
    modifier: BulkModifier,
    options: CallOptions,
  ): Promise<string | undefined>
}
