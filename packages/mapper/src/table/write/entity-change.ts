import type { Change } from '@rowkey/rest'
import type { ObjectWrite } from '../../snapshot/writes-in-flight.ts'

/** One change, ready to be sent alone or in a batch, and the object that learns of its outcome. */
export interface EntityChange<Entity> extends Change {
  /** The object that is written or deleted; `undefined` when only a key was given. */
  readonly entity: Entity | undefined
  /** What the object's knowledge of the row depends on; `undefined` for a read, and without an object. */
  readonly write: ObjectWrite | undefined
}
