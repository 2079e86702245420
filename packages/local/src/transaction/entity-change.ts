import type { DateTimeValue, EntityKey } from '@rowkey/odata'
import type { Answer } from '../answer/answer.ts'
import type { ServiceCall } from '../call/service-call.ts'
import type { StoredEntity } from '../entity/stored-entity.ts'

/** One write, decoded: which row it is about, what becomes of it, and what is answered then. */
export interface EntityChange {
  /** The row that is written. */
  readonly key: EntityKey
  /**
   * What the row becomes; `undefined` when it is gone.
   *
   * @param current - the row as it is; `undefined` when there is none
   * @param stamp - makes the new version's time of writing
   * @throws ServiceFault when the row as it is forbids the write
   */
  apply(current: StoredEntity | undefined, stamp: () => DateTimeValue): StoredEntity | undefined
  /**
   * The answer to a write that was done.
   *
   * @param written - what {@link EntityChange.apply} made
   * @param table - the table's name as it was given at its creation
   */
  answer(written: StoredEntity | undefined, table: string): Answer
}

/** Decodes one kind of write. */
export type ChangeOperation = (call: ServiceCall) => EntityChange
