import {
  type Change,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  retrieveEntity,
  updateEntity,
} from '@rowkey/rest'
import { keepersIn } from '../keep/keepers.ts'
import type { RowTransition } from '../keep/row-keeper.ts'
import type { Row } from '../member/row.ts'
import type { TableParts } from '../rows/table-parts.ts'
import { isComplete, isOfRow, snapshotOf } from '../snapshot/snapshot.ts'
import type { RowRead } from './stored-rows.ts'
import { NO_VERSION, type Write, withCreation } from './write.ts'

/** Begins to bind a write: decides what must be known of the stored row before it is sent. */
export function begin(write: Write, table: TableParts<object>): Write {
  const start = startOf(write, table)
  return start === write.start ? write : { ...write, start }
}

function startOf(write: Write, table: TableParts<object>): Write['start'] {
  const { operation, check, creation } = write
  if (operation === retrieveEntity) return undefined
  if (check === undefined && creation === undefined && !isKept(write, table)) return undefined
  return operation === insertEntity ? 'new' : (knownRow(write, table) ?? 'stored')
}

/** Whether a keeper may store other rows with a write. */
function isKept({ operation, row }: Write, table: TableParts<object>): boolean {
  const keepers = keepersIn(table.kept)
  if (keepers === undefined) return false
  return operation !== mergeEntity || row === undefined || keepers.touch(row.names, table)
}

/**
 * Binds a write to the version of the row that it starts from: the version in the object's snapshot, or the version that is stored now.
 * An upsert becomes an insert or a conditional write.
 *
 * @param write - a write that was begun
 * @param read - reads the stored row of a write
 */
export async function bindWrite(write: Write, read: RowRead): Promise<Write> {
  const { start, input } = write
  if (start === undefined || start === 'new') return write
  if (start !== 'stored') return from(write, start)
  if (isFreeOf(write)) return bindToStored(write, read)
  const found = await read(write)
  // Without that version the service rejects the write, and says why: nothing is planned with it.
  return found?.etag === input.etag && found !== undefined ? from(write, found.row) : doomed(write)
}

/** Returns what a bound write does to its row; `undefined` when that matters to no keeper, or the write cannot succeed. */
export function transitionOf({ operation, input, row, start }: Write): RowTransition | undefined {
  if (start === undefined || start === 'stored') return undefined
  const before = start === 'new' ? undefined : start
  const after = row && before && operation === mergeEntity ? before.merge(row) : row
  return { key: input.key, before: before?.raw, after: after?.raw }
}

function isFreeOf({ input: { etag } }: Write): boolean {
  return etag === undefined || etag === '*'
}

/**
 * Lets a write start from a row that passes its check. A write that must not be made is bound to a version that no row has: it can
 * only repeat what its idempotency key has stored.
 */
function from(write: Write, row: Row): Write {
  try {
    write.check?.check?.(row.raw)
  } catch (refusal) {
    return { ...doomed(write), isFree: false, refusal }
  }
  return { ...withCreation(write, row), start: row }
}

async function bindToStored(write: Write, read: RowRead): Promise<Write> {
  // A repetition by an idempotency key may find another row, and then sends another operation.
  const { operation, input } = write
  const { knownAs = operation.name } = input
  const isUpsert = input.etag === undefined
  const free = { ...write, isFree: true }
  const found = await read(write)
  if (found === undefined) {
    if (!isUpsert) return doomed(free)
    const made = withCreation(free, undefined)
    return { ...made, operation: insertEntity, input: { ...made.input, knownAs }, start: 'new' }
  }
  const { etag = '*' } = found
  const bound = { ...free, input: { ...input, etag, knownAs } }
  const started = from(bound, found.row)
  if (started.refusal !== undefined) return { ...doomed(write), refusal: started.refusal }
  return { ...started, operation: CONDITIONAL.get(operation) ?? operation }
}

/** Makes a write conditional on a version that no row has. It is sent to get the service's own error: one made here could differ. */
export function doomed(write: Write): Write {
  return { ...write, input: { ...write.input, etag: NO_VERSION } }
}

/** The operation of the same effect that takes a condition. */
const CONDITIONAL: ReadonlyMap<Change['operation'], Change['operation']> = new Map([
  [insertOrMergeEntity, mergeEntity],
  [insertOrReplaceEntity, updateEntity],
])

/** The row at the version of the write's ETag, when the object's snapshot is complete. */
function knownRow(write: Write, { origin }: TableParts<object>): Row | undefined {
  const { object, input, check } = write
  if (check !== undefined || isFreeOf(write)) return undefined
  const snapshot = object && snapshotOf(object.entity)
  if (snapshot === undefined || !isOfRow(snapshot, origin, input.key)) return undefined
  const isInDoubt = snapshot.doubtful !== undefined || snapshot.exists !== undefined
  // A migrated entity no longer has the properties of its stored version.
  const isOther = snapshot.other !== undefined || snapshot.etag !== input.etag
  return isInDoubt || isOther || !isComplete(snapshot) ? undefined : snapshot.row
}
