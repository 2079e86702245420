import type { SentBody } from '@rowkey/odata'
import type { Change } from '@rowkey/rest'

/** One change, ready to be sent alone or in a batch, and the object that is told of its outcome. */
export interface EntityChange<Entity> extends Change {
  /** The object that is written or deleted; `undefined` when only a key was given. */
  readonly entity: Entity | undefined
  /** What is sent of it; `undefined` for a delete. */
  readonly sent: SentBody | undefined
}
