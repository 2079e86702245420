import type { EntityKey, InputError } from '@rowkey/odata'
import type { Mapping } from '../layers/mapping.ts'
import type { TableParts } from '../rows/table-parts.ts'
import { etagOf } from '../snapshot/object-row.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import {
  pendingSnapshot,
  pendingWrite,
  snapshotAfter,
  type WrittenObject,
} from '../snapshot/written-object.ts'
import { missingEtag } from './check-snapshot.ts'
import { NO_VERSION, type Write } from './write.ts'

/** The condition of a write. */
export interface Condition {
  /** The ETag, or `'*'`. */
  readonly etag: string
  /** Whether it is the object's own ETag, so that the write depends on the snapshot. */
  readonly isOwn: boolean
  /** The object's snapshot of the row. */
  readonly snapshot: Snapshot | undefined
  /** Returns the condition in the turn of the write; absent when it depends on no earlier write of the object. */
  readonly later?: (() => Condition) | undefined
}

/** What a write is a write of. */
export interface Subject {
  readonly entity: object | undefined
  readonly key: EntityKey
  /** The caller's ETag. */
  readonly given: string | undefined
}

/** Finds the conditions of the writes of one table. */
export class WriteConditions {
  readonly #table: Pick<TableParts<object>, 'name' | 'origin'>
  readonly #mapping: Mapping<object>

  /**
   * @param table - the table
   * @param mapping - the type of the entities
   */
  constructor(table: Pick<TableParts<object>, 'name' | 'origin'>, mapping: Mapping<object>) {
    this.#table = table
    this.#mapping = mapping
  }

  /**
   * Returns the condition of a write, which passes a check. An ETag that an earlier write of the object is about to change is only
   * known when that write has ended; the values that are sent are those of the call.
   *
   * @param check - of the condition
   */
  of(method: string, subject: Subject, check: (condition: Condition) => void): Condition {
    const { entity, key, given } = subject
    const snapshot = entity && this.known(entity, key)
    const earlier = given === undefined && entity && this.#earlier(entity, key, snapshot)
    if (!earlier) {
      const condition = this.#condition(method, subject, snapshot)
      check(condition)
      return condition
    }
    return {
      etag: snapshot?.etag ?? NO_VERSION,
      isOwn: true,
      snapshot,
      later: () => {
        const after = snapshotAfter(earlier)
        const etag = after?.etag
        if (etag === undefined) throw this.#missingEtag(method, entity, etag)
        const condition = { etag, isOwn: true, snapshot: after }
        check(condition)
        return condition
      },
    }
  }

  /** Returns the pending write that gives an object the ETag of its next one; `undefined` when the caller set the ETag. */
  #earlier(
    entity: object,
    key: EntityKey,
    snapshot: Snapshot | undefined,
  ): WrittenObject | undefined {
    const earlier = pendingWrite(entity, this.#table.origin, key)
    if (earlier === undefined || this.etagOf(entity, snapshot) !== snapshot?.etag) return undefined
    return earlier
  }

  /** Returns the ETag of an object; a key has none. `'*'` in an object may be a stranger's: only the option means it. */
  #condition(
    method: string,
    { entity, given }: Subject,
    snapshot: Snapshot | undefined,
  ): Condition {
    if (given !== undefined)
      return { etag: given, isOwn: given !== '*' && given === snapshot?.etag, snapshot }
    const carried = entity && this.etagOf(entity, snapshot)
    if (carried !== undefined && carried !== '*') return { etag: carried, isOwn: true, snapshot }
    throw this.#missingEtag(method, entity, carried)
  }

  #missingEtag(
    method: string,
    entity: object | undefined,
    carried: string | undefined,
  ): InputError {
    return missingEtag(
      `${method} in table ${this.#table.name}`,
      entity,
      this.#table.origin,
      carried,
    )
  }

  etagOf(entity: object, snapshot: Snapshot | undefined): string | undefined {
    return etagOf(entity, this.#mapping.shape.etagMember(entity), snapshot)
  }

  /** Returns the object's snapshot of the row, including its writes in flight. */
  known(entity: object, key: EntityKey): Snapshot | undefined {
    return pendingSnapshot(entity, this.#table.origin, key)
  }
}

/** Makes a write by its condition, in its turn if the condition depends on an earlier write. */
export function begunBy(condition: Condition, make: (condition: Condition) => Write): Write {
  const { later } = condition
  const write = make(condition)
  if (later === undefined) return write
  return {
    ...write,
    inTurn: () => {
      const made = make(later())
      if (made.object === undefined || write.object === undefined) return made
      // It is the same write, with values of the same time.
      const { outcome, reloads } = write.object
      // A later write of the object that waits for this one has it from the call.
      write.object.known = made.object.known
      return { ...made, object: { ...made.object, outcome, reloads } }
    },
  }
}
