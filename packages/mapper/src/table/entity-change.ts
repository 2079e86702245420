import type { Change } from '@rowkey/rest'

/** One write, ready to be sent alone or in a batch, and the object that is told of its outcome. */
export interface EntityChange<Entity> extends Change {
  /** The object that was written; `undefined` for a delete. */
  readonly entity: Entity | undefined
  /** The body is the whole entity; otherwise it is merged with what is stored. */
  readonly whole: boolean
}
