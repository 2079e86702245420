import type { EntityKey } from '@rowkey/odata'

/** An object that was migrated when it was read, and not written since. */
export interface PendingMigration {
  /** Where it is stored. */
  readonly key: EntityKey
  /** The stored names that this version has too, under which the earlier one has values. */
  readonly stored: readonly string[]
}

/** An object is in here only until it is written, and there are few. */
const pendings = new WeakMap<object, PendingMigration>()

/** The migration of an object that is not stored yet; `undefined` when there is none. */
export function pendingMigration(entity: object): PendingMigration | undefined {
  return pendings.get(entity)
}

/** Keeps in mind that an object was migrated, or that it is stored by now. */
export function keepPendingMigration(entity: object, pending: PendingMigration | undefined): void {
  if (pending === undefined) pendings.delete(entity)
  else pendings.set(entity, pending)
}
