import type { DateTimeValue, EntityKey } from '@rowkey/odata'
import type { StoredEntity } from '../entity/stored-entity.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import type { ServiceResponse } from '../response/service-response.ts'

/** A decoded write: its row, the row's next version, and the response. */
export interface EntityChange {
  /** The key of the row. */
  readonly key: EntityKey
  /**
   * Returns the next version of the row; `undefined` when the write deletes it.
   *
   * @param current - the row as it is; `undefined` when it does not exist
   * @param stamp - makes the time of the new version
   * @throws Rejection when the state of the row does not allow the write
   */
  apply(current: StoredEntity | undefined, stamp: () => DateTimeValue): StoredEntity | undefined
  /**
   * Responds to a write that was applied.
   *
   * @param written - the result of {@link EntityChange.apply}
   * @param table - the table's name as it was created
   */
  respond(written: StoredEntity | undefined, table: string): ServiceResponse
}

/** Decodes one kind of write. */
export type ChangeOperation = (request: ServiceRequest) => EntityChange

/** Responds to a write without a body: with the new ETag, or without one after a delete. */
export function writtenResponse(written: StoredEntity | undefined): ServiceResponse {
  return { status: 204, headers: written === undefined ? {} : { etag: written.etag }, body: '' }
}
