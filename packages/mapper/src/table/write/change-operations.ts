import {
  type Change,
  type ChangeName,
  deleteEntity,
  type EntityWrite,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  type NamedChange,
  type Operation,
  retrieveEntity,
  updateEntity,
  type WriteResult,
} from '@rowkey/rest'

/** The operations that changes name. They are loaded by the code that sends changes, and not by the code that makes them. */
export const CHANGE_OPERATIONS: Readonly<Record<ChangeName, Operation<EntityWrite, WriteResult>>> =
  {
    deleteEntity,
    insertEntity,
    insertOrMergeEntity,
    insertOrReplaceEntity,
    mergeEntity,
    retrieveEntity,
    updateEntity,
  }

/** Returns a change with the operation that it names. */
export function withOperation({ operation, input }: NamedChange): Change {
  return { operation: CHANGE_OPERATIONS[operation], input }
}
