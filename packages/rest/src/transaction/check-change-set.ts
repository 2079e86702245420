import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'
import { invalidBatch } from './change-set-part.ts'
import { MOST_CHANGES } from './change-set-size.ts'

/** One change of an entity group transaction: an operation and its input. */
export interface Change {
  /**
   * {@link insertEntity}, {@link updateEntity}, {@link mergeEntity}, {@link insertOrReplaceEntity},
   * {@link insertOrMergeEntity} or {@link deleteEntity}. A single change may also be
   * {@link getEntity} or {@link retrieveEntity}, whose result has the entity as `raw`.
   */
  readonly operation: Operation<EntityWrite, WriteResult>
  /** The input of the operation. */
  readonly input: EntityWrite
}

/**
 * Rejects what the service would reject as a whole: no change or more than 100, more than one table or
 * PartitionKey, or an entity that is changed twice.
 *
 * @param table - the table of the transaction
 * @param changes - the changes
 * @param endpoint - the account; if only the service checks change sets, just the first rule applies
 * @throws `InputError` (`InvalidBatch`) with the first change that breaks a rule
 * @see https://learn.microsoft.com/rest/api/storageservices/performing-entity-group-transactions
 *
 * @example
 * ```ts
 * checkChangeSet('people', changes, service.endpoint)
 * ```
 */
export function checkChangeSet(
  table: string,
  changes: readonly Change[],
  endpoint: Endpoint,
): void {
  if (!Array.isArray(changes) || changes.length === 0) {
    throw invalidBatch('The entity group transaction is empty. Give it 1 to 100 changes.')
  }
  if (isChecked(endpoint, 'changeSets')) checkRules(table, changes)
  else changes.forEach(checkChange)
}

function checkRules(table: string, changes: readonly Change[]): void {
  if (changes.length > MOST_CHANGES) {
    throw invalidBatch(
      `The entity group transaction has ${changes.length} changes, but at most ${MOST_CHANGES} are allowed. Split it into several.`,
      MOST_CHANGES,
    )
  }
  const partitionKey = changes[0]?.input?.key?.partitionKey
  const indexOfRow = new Map<string, number>()
  for (const [index, change] of changes.entries()) {
    checkChange(change, index)
    const { input } = change
    checkSame('table', input.table, table, index)
    checkSame('PartitionKey', input.key.partitionKey, partitionKey, index)
    const before = indexOfRow.get(input.key.rowKey)
    if (before !== undefined) {
      throw invalidBatch(
        `Changes ${before} and ${index} of the entity group transaction have the same key. Change each entity only once.`,
        index,
      )
    }
    indexOfRow.set(input.key.rowKey, index)
  }
}

function checkChange(change: Change, index: number): void {
  if (typeof change?.operation?.toRequest === 'function' && change.input?.key) return
  throw invalidBatch(
    `Change ${index} of the entity group transaction must have an operation, and an input with the key of an entity.`,
    index,
  )
}

function checkSame(
  what: 'PartitionKey' | 'table',
  found: string,
  expected: string | undefined,
  index: number,
): void {
  if (found === expected) return
  throw invalidBatch(
    `Change ${index} of the entity group transaction has the ${what} ${JSON.stringify(found)}, but the others have ${JSON.stringify(expected)}. A transaction has one table and one PartitionKey.`,
    index,
  )
}
