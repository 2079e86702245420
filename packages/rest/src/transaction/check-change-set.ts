import type { InputError } from '@rowkey/odata'
import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'

import type { EntityWrite, WriteResult } from '../request/entity-write.ts'
import type { Operation } from '../request/operation.ts'

/** One write inside an entity group transaction: an operation and what it needs. */
export interface Change {
  /**
   * {@link insertEntity}, {@link updateEntity}, {@link mergeEntity}, {@link insertOrReplaceEntity},
   * {@link insertOrMergeEntity} or {@link deleteEntity}; or, when it is the only one,
   * {@link getEntity} or {@link retrieveEntity}, whose result has the entity as `raw`.
   */
  readonly operation: Operation<EntityWrite, WriteResult>
  /** What the operation needs. */
  readonly input: EntityWrite
}

/** The most changes in one entity group transaction. */
export const MOST_CHANGES = 100

/**
 * Refuses what the service would refuse as a whole: no change or more than 100, more than one table
 * or PartitionKey, or an entity that is changed twice.
 *
 * @param table - the table of the transaction
 * @param changes - what is to be done
 * @param endpoint - the account, to which all but the first rule may be left
 * @throws {@link InputError} (`InvalidBatch`) naming the first change that breaks a rule
 * @see https://learn.microsoft.com/rest/api/storageservices/performing-entity-group-transactions
 */
export function checkChangeSet(
  table: string,
  changes: readonly Change[],
  endpoint: Endpoint,
): void {
  if (!Array.isArray(changes) || changes.length === 0) {
    throw restInputError({
      code: 'InvalidBatch',
      message: 'The entity group transaction is empty. Give it 1 to 100 changes.',
    })
  }
  if (isChecked(endpoint, 'changeSets')) checkRules(table, changes)
  else changes.forEach(checkChange)
}

function checkRules(table: string, changes: readonly Change[]): void {
  if (changes.length > MOST_CHANGES) {
    throw restInputError({
      code: 'InvalidBatch',
      message: `The entity group transaction has ${changes.length} changes and may have ${MOST_CHANGES}. Send them in several; each is then atomic by itself.`,
      details: { index: MOST_CHANGES },
    })
  }
  const partitionKey = changes[0]?.input?.key?.partitionKey
  const indexOfRow = new Map<string, number>()
  for (const [index, change] of changes.entries()) {
    checkChange(change, index)
    const { input } = change
    checkSame('table', input.table, table, index)
    checkSame('PartitionKey', input.key.partitionKey, partitionKey, index)
    const before = indexOfRow.get(input.key.rowKey)
    if (before !== undefined) throw twice(before, index)
    indexOfRow.set(input.key.rowKey, index)
  }
}

function checkChange(change: Change, index: number): void {
  if (typeof change?.operation?.toRequest === 'function' && change.input?.key) return
  throw restInputError({
    code: 'InvalidBatch',
    message: `Change ${index} of the entity group transaction must have an operation and its input, with the key of an entity.`,
    details: { index },
  })
}

function checkSame(
  what: 'PartitionKey' | 'table',
  found: string,
  expected: string | undefined,
  index: number,
): void {
  if (found === expected) return
  throw restInputError({
    code: 'InvalidBatch',
    message: `Change ${index} of the entity group transaction has the ${what} ${JSON.stringify(found)} and the others have ${JSON.stringify(expected)}. A transaction is of one table and one PartitionKey; send one for each.`,
    details: { index },
  })
}

function twice(before: number, index: number): InputError {
  return restInputError({
    code: 'InvalidBatch',
    message: `Changes ${before} and ${index} of the entity group transaction have the same PartitionKey and RowKey. An entity can be changed only once; make one change of the two.`,
    details: { index },
  })
}
