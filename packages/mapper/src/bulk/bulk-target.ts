import type { Call, Change, TableService, WriteResult } from '@rowkey/rest'
import type { EntityModel } from '../model/entity-model.ts'

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
  readonly prepared?: Change | undefined
}

/** One table, as a bulk writer needs it. */
export interface BulkTarget {
  /** The account of the table. */
  readonly service: TableService
  /** The table's name. */
  readonly table: string
  /** Returns the model of an entity or its key; `undefined` where none is certain. */
  modelOf(target: object): EntityModel<object> | undefined
  /**
   * Makes the change of an operation, from its entity as it is now.
   *
   * @returns `undefined` when nothing is to be sent, because nothing changed
   * @throws an InputError for an entity that cannot be written
   */
  change(operation: BulkOperation): Change | undefined
  /**
   * Sends changes of one partition, in one transaction when there are several.
   *
   * @param next - returns those of the partition that will follow; what they depend on may be read together
   */
  send(
    changes: readonly Change[],
    call: Call,
    next: () => readonly Change[],
  ): Promise<readonly WriteResult[]>
  /**
   * Tells whether a row has exactly the content that a change sends.
   *
   * @returns the ETag of the row; `undefined` when it is missing or has other content
   */
  storedEtag(change: Change, call: Call): Promise<string | undefined>
  /**
   * Reads the entity of a change that met a conflict, lets a function change it, and writes the changes.
   *
   * @returns the ETag of the entity that is stored now
   */
  modify(
    change: Change,
    modifier: (stored: object) => unknown,
    call: Call,
  ): Promise<string | undefined>
}
