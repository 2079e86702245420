import { keyOfSnapshot, snapshotOf } from '../snapshot/snapshot.ts'

/** The most changes of one entity group transaction. */
const MAX_BATCH = 100

/**
 * Groups the rows that were migrated when they were read, so that one transaction can write each group.
 *
 * @param rows - in the order of their keys
 */
export function upgradeBatches<Entity extends object>(rows: Iterable<Entity>): Entity[][] {
  const batches: Entity[][] = []
  let partition: string | undefined
  for (const row of rows) {
    const snapshot = snapshotOf(row)
    if (snapshot?.migrated !== 'forward') continue
    const { partitionKey } = keyOfSnapshot(snapshot)
    const batch = batches.at(-1)
    if (batch && partitionKey === partition && batch.length < MAX_BATCH) batch.push(row)
    else batches.push([row])
    partition = partitionKey
  }
  return batches
}
