import {
  type Change,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  retrieveEntity,
  updateEntity,
} from '@rowkey/rest'
import type { Keepers } from '../keep/keepers.ts'
import type { RowTransition } from '../keep/row-keeper.ts'
import type { Row } from '../member/row.ts'
import type { TableParts } from '../rows/table-parts.ts'
import { isComplete, isOfRow, snapshotOf } from '../snapshot/snapshot.ts'
import type { RowRead } from './stored-rows.ts'
import { NO_VERSION, type Write, withCreation } from './write.ts'

/** The table whose writes are bound. */
export interface BoundTable
  extends Pick<TableParts<object>, 'service' | 'name' | 'origin' | 'opener' | 'rows'> {
  /** Plan what is stored with them; absent when nothing is. */
  readonly keepers?: Keepers | undefined
}

/**
 * What must be known of the stored row before a change is sent: nothing (`'any'`), that it makes the row (`'new'`), or the row, which is
 * known already or must be read (`'stored'`).
 */
type Start = 'any' | 'new' | 'stored' | Row

/** Decides what must be known of the stored row before a change is sent. */
export function startOf(change: Write, table: BoundTable): Start {
  const { operation, check, creation } = change
  const isPlain = check === undefined && creation === undefined && !isPlanned(change, table)
  if (isPlain || operation === retrieveEntity) return 'any'
  return operation === insertEntity ? 'new' : (knownRow(change, table) ?? 'stored')
}

/** Tells whether a keeper may store other rows with a change. */
export function isPlanned({ operation, row }: Write, table: BoundTable): boolean {
  const { keepers } = table
  if (keepers === undefined) return false
  return operation !== mergeEntity || row === undefined || keepers.touch(row.names, table)
}

/**
 * Binds a change to the version of the row that it starts from: the version in the object's snapshot, or the version that is stored now.
 * An upsert becomes an insert or a conditional write.
 *
 * @param read - reads the stored row of a change
 */
export async function bindWrite(change: Write, table: BoundTable, read: RowRead): Promise<Write> {
  const start = startOf(change, table)
  if (start === 'any') return change
  if (start === 'new') return { ...change, start }
  if (start !== 'stored') return from(change, start)
  if (isFreeOf(change)) return bindToStored(change, read)
  const found = await read(change)
  // Without that version the service rejects the change, and says why: nothing is planned with it.
  return found?.etag === change.input.etag && found !== undefined
    ? from(change, found.row)
    : doomed(change)
}

/** Returns what a bound change does to its row; `undefined` when that matters to no keeper, or the change cannot succeed. */
export function transitionOf(change: Write): RowTransition | undefined {
  const { operation, input, row, start } = change
  if (start === undefined) return undefined
  const before = start === 'new' ? undefined : start
  const after = row && before && operation === mergeEntity ? before.merge(row) : row
  return { key: input.key, before: before?.raw, after: after?.raw }
}

function isFreeOf({ input: { etag } }: Write): boolean {
  return etag === undefined || etag === '*'
}

/**
 * Lets a change start from a row that passes its check. A change that must not be made is bound to a version that no row has: it can
 * only repeat what its idempotency key has stored.
 */
function from(change: Write, row: Row): Write {
  try {
    change.check?.check?.(row.raw)
  } catch (refusal) {
    return { ...doomed(change), isFree: false, refusal }
  }
  return { ...withCreation(change, row), start: row }
}

async function bindToStored(change: Write, read: RowRead): Promise<Write> {
  // A repetition by an idempotency key may find another row, and then sends another operation.
  const { operation, input } = change
  const { knownAs = operation.name } = input
  const isUpsert = input.etag === undefined
  const free = { ...change, isFree: true }
  const found = await read(change)
  if (found === undefined) {
    if (!isUpsert) return doomed(free)
    const made = withCreation(free, undefined)
    return { ...made, operation: insertEntity, input: { ...made.input, knownAs }, start: 'new' }
  }
  const { etag = '*' } = found
  const bound = { ...free, input: { ...input, etag, knownAs } }
  const started = from(bound, found.row)
  if (started.refusal !== undefined) return { ...doomed(change), refusal: started.refusal }
  return { ...started, operation: CONDITIONAL.get(operation) ?? operation }
}

/** Makes a change conditional on a version that no row has. */
export function doomed(change: Write): Write {
  return { ...change, input: { ...change.input, etag: NO_VERSION } }
}

/** The operation of the same effect that takes a condition. */
const CONDITIONAL: ReadonlyMap<Change['operation'], Change['operation']> = new Map([
  [insertOrMergeEntity, mergeEntity],
  [insertOrReplaceEntity, updateEntity],
])

/** The row at the version of the change's ETag, when the object's snapshot is complete. */
function knownRow(change: Write, { origin }: BoundTable): Row | undefined {
  const { write, input, check } = change
  if (check !== undefined || isFreeOf(change)) return undefined
  const snapshot = write && snapshotOf(write.entity)
  if (snapshot === undefined || !isOfRow(snapshot, origin, input.key)) return undefined
  const isInDoubt = snapshot.doubtful !== undefined || snapshot.exists !== undefined
  // A migrated entity no longer has the properties of its stored version.
  const isOther = snapshot.other !== undefined || snapshot.etag !== input.etag
  return isInDoubt || isOther || !isComplete(snapshot) ? undefined : snapshot.row
}
