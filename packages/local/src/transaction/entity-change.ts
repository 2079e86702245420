import type { DateTimeValue, EntityKey } from '@rowkey/odata'
import type { StoredEntity } from '../entity/stored-entity.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'

/** One write, decoded: which row it is about, what becomes of it, and what is answered then. */
export interface EntityChange {
  /** The row that is written. */
  readonly key: EntityKey
  /**
   * What the row becomes; `undefined` when it is gone.
   *
   * @param current - the row as it is; `undefined` when there is none
   * @param stamp - makes the new version's time of writing
   * @throws Rejection when the row as it is forbids the write
   */
  apply(current: StoredEntity | undefined, stamp: () => DateTimeValue): StoredEntity | undefined
  /**
   * The answer to a write that was done.
   *
   * @param written - what {@link EntityChange.apply} made
   * @param table - the table's name as it was given at its creation
   */
  answer(written: StoredEntity | undefined, table: string): ServiceResponse
}

/** Decodes one kind of write. */
export type ChangeOperation = (call: ServiceRequest) => EntityChange

/** The answer to a write with nothing to show: the new ETag, or none when the row is gone. */
export function writtenResponse(written: StoredEntity | undefined): ServiceResponse {
  return { status: 204, headers: written === undefined ? {} : { etag: written.etag }, body: '' }
}
