import {
  type Change,
  type ChangeName,
  type DeletionResult,
  deleteEntity,
  deleteEntityIfExists,
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

/** A delete of an entity that may be missing, and a soft one, which merges the time of the deletion into it. */
export const DELETIONS: Readonly<
  Partial<Record<ChangeName, Operation<EntityWrite, DeletionResult>>>
> = {
  deleteEntity: deleteEntityIfExists,
  mergeEntity: {
    ...mergeEntity,
    expects: deleteEntityIfExists.expects ?? [],
    fromResponse: (response, input) =>
      response.status >= 400
        ? { deleted: false }
        : { ...mergeEntity.fromResponse(response, input), deleted: true },
    reconcile: mergeEntity.reconcile?.resolve ? { resolve: mergeEntity.reconcile.resolve } : {},
  },
}

/** Returns a change with the operation that it names. */
export function withOperation({ operation, input }: NamedChange): Change {
  return { operation: CHANGE_OPERATIONS[operation], input }
}
