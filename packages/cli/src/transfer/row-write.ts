import type { BulkOptions, DynamicRow, KeyMembers, TableWrite } from '@rowkey/mapper'
import { hasSameProperties } from '@rowkey/odata'
import { DynamicEntity, Operation } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import type { RowLine } from '../rows/row-line.ts'
import type { OnExisting } from './on-existing.ts'

/** One write to a table of rows. */
type RowWrite = TableWrite<DynamicEntity, DynamicEntity | DynamicRow, KeyMembers<DynamicEntity>>

/**
 * Makes the write of a row, without the ETag and the Timestamp of the row that was read.
 *
 * @param line - the row, and perhaps what to do with it
 * @param onExisting - what to do when it is stored already
 * @throws InputError with the code `InvalidArgument` for a change of a diff, which neither skips nor merges
 */
export function rowWrite({ row, change }: RowLine, onExisting: OnExisting): RowWrite {
  if (change !== undefined && (onExisting === 'skip' || onExisting === 'merge')) {
    const key = JSON.stringify([row.partitionKey, row.rowKey])
    const reason = `The row ${key} has "odata.change": ${JSON.stringify(change)}, and --on-existing ${onExisting} cannot apply that. Leave the option out.`
    throw cliInputError('InvalidArgument', reason)
  }
  if (change === 'delete') return Operation.delete(row, { etag: '*' })
  const fresh = new DynamicEntity(row.partitionKey, row.rowKey, row.properties)
  if (change !== undefined || onExisting === 'replace') return Operation.insertOrReplace(fresh)
  return onExisting === 'merge' ? Operation.insertOrMerge(fresh) : Operation.insert(fresh)
}

/**
 * Returns the options of bulk writes that belong to {@link rowWrite}. An insert of a row that is stored with the same values has
 * nothing to do, so that a command can be repeated.
 *
 * @param onExisting - what to do when a row is stored already
 */
export function conflictOptions(onExisting: OnExisting): BulkOptions<DynamicEntity> {
  if (onExisting === 'skip') return { onMissing: 'skip', onConflict: 'skip' }
  if (onExisting !== 'fail') return { onMissing: 'skip' }
  return { onMissing: 'skip', onConflict: 'modify', modify: checkSame }
}

function checkSame(stored: DynamicEntity, given: object): void {
  if (given instanceof DynamicEntity && hasSameProperties(stored.properties, given.properties))
    return
  throw cliInputError('ExistingRow', 'The row is stored already, with other values.')
}
