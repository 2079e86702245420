import {
  deleteEntity,
  EntityNotFoundError,
  type EntityWrite,
  type Operation,
  type WriteResult,
} from '@rowkey/rest'

/** What came of a delete that may find nothing. */
export interface DeletionResult extends WriteResult {
  /** There was an entity, and it is gone. */
  readonly deleted: boolean
}

/**
 * Delete Entity, where an entity that is not there is an answer. When the repetition after a lost
 * answer finds none, the first attempt is taken to have deleted it: by an ETag too, since all that is
 * asked for is that it be gone.
 */
export const deleteEntityIfExists: Operation<EntityWrite, DeletionResult> = {
  ...deleteEntity,
  expects: ['ResourceNotFound', 'EntityNotFound'],
  fromResponse: (response) => ({ deleted: response.status < 400 }),
  reconcile: {
    ...deleteEntity.reconcile,
    settle: (refusal) =>
      refusal instanceof EntityNotFoundError
        ? { outcome: 'applied', output: { deleted: true } }
        : { outcome: 'unknown' },
  },
}
