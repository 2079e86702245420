import { pendingMigration } from './pending-migration.ts'

/** As many changes as one entity group transaction takes. */
const MAX_BATCH = 100

/**
 * The rows that were migrated when they were read, in groups that one transaction each can write.
 *
 * @param rows - in the order of their keys
 */
export function upgradeBatches<Entity extends object>(rows: Iterable<Entity>): Entity[][] {
  const batches: Entity[][] = []
  let partition: string | undefined
  for (const row of rows) {
    const pending = pendingMigration(row)
    if (pending === undefined) continue
    const batch = batches.at(-1)
    if (batch && pending.key.partitionKey === partition && batch.length < MAX_BATCH) batch.push(row)
    else batches.push([row])
    partition = pending.key.partitionKey
  }
  return batches
}
