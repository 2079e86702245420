import {
  type Call,
  type Change,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  retrieveEntity,
  updateEntity,
} from '@rowkey/rest'
import type { Row } from '../../member/row.ts'
import { isComplete, isOfRow, snapshotOf } from '../../snapshot/snapshot.ts'
import type { KeptCall, KeptPlan } from '../keep/row-keeper.ts'
import type { TableParts } from '../table-parts.ts'
import { type EntityChange, NO_VERSION, withCreation } from './entity-change.ts'
import type { RowRead } from './stored-rows.ts'

/** The table whose writes are bound. */
export interface BoundTable
  extends Pick<TableParts<object>, 'service' | 'name' | 'origin' | 'mapping' | 'rows'> {
  /** Plans what is stored with them; absent when nothing is. */
  readonly planner?: WritePlanner | undefined
}

/** Plans what is stored with the writes of a table. */
export interface WritePlanner {
  /** Whether a merge of these stored names matters. */
  touches(names: ReadonlySet<string>): boolean
  /**
   * Plans what is stored with some changes.
   *
   * @param changes - the changes, bound to the rows that they start from
   * @returns `undefined` when nothing is
   */
  plan(
    changes: readonly BoundChange[],
    call: Pick<KeptCall, 'attempt' | 'options'>,
  ): Promise<KeptPlan | undefined>
  /**
   * Runs a write after the earlier ones of its partition; absent when writes of one partition do not meet in a row.
   *
   * @param partitionKey - the partition of the write
   * @param write - sends it
   * @param call - the call: its signal and its deadline end the wait
   */
  inTurn?<Result>(partitionKey: string, write: () => Promise<Result>, call: Call): Promise<Result>
}

/** A change that is bound to the version of the row that it starts from. */
export interface BoundChange {
  /** The request. */
  readonly change: EntityChange
  /**
   * The row that it starts from; `undefined` when that matters to nothing, or the change cannot
   * succeed.
   */
  readonly start: StartingRow | undefined
  /** The caller gave no condition, so the change is bound again when the row changes first. */
  readonly isFree: boolean
  /** Why the row must not be changed. */
  readonly refusal?: unknown
}

/** The row that a change starts from. */
export interface StartingRow {
  /** `undefined` for a new row. */
  readonly row: Row | undefined
}

/**
 * Binds a change to the version of the row that it starts from: the version in the object's snapshot, or
 * the version that is stored now. An upsert becomes an insert or a conditional write.
 *
 * @param read - reads the stored row of a change
 */
export async function bindChange(
  change: EntityChange,
  table: BoundTable,
  read: RowRead,
): Promise<BoundChange> {
  const { operation } = change
  const plain: BoundChange = { change, start: undefined, isFree: false }
  if (operation === insertEntity) return { ...plain, start: { row: undefined } }
  if (!isBound(change, table)) return plain
  if (isFreeOf(change)) return bindToStored(change, read)
  const known = knownStart(change, table)
  const row = known ?? (await storedAt(change, read))
  // Without that version the service rejects the change, and says why: nothing is planned with it.
  if (row === undefined) return { ...plain, change: doomed(change) }
  return checked(change, { ...plain, change: withCreation(change, row), start: { row } })
}

/** Tells whether the row of a change must be read before it is bound. */
export function needsRead(change: EntityChange, table: BoundTable): boolean {
  if (change.operation === insertEntity || !isBound(change, table)) return false
  return isFreeOf(change) || knownStart(change, table) === undefined
}

/** Tells whether the stored row must be known before the change is sent. */
export function isBound(change: EntityChange, { planner }: BoundTable): boolean {
  if (change.operation === retrieveEntity) return false
  const { check, creation } = change
  return check !== undefined || creation !== undefined || isPlanned(change, planner)
}

function isFreeOf({ input: { etag } }: EntityChange): boolean {
  return etag === undefined || etag === '*'
}

/** Tells whether a keeper may store other rows with this change. */
export function isPlanned(
  { operation, row }: EntityChange,
  planner: WritePlanner | undefined,
): boolean {
  if (planner === undefined) return false
  return operation !== mergeEntity || row === undefined || planner.touches(row.names)
}

/**
 * Checks the row that a change starts from. A change that must not be made is bound to a version that no row has: it can only
 * repeat what its idempotency key has stored.
 */
function checked({ check }: EntityChange, bound: BoundChange): BoundChange {
  const { change, start } = bound
  if (start?.row === undefined) return bound
  try {
    check?.check?.(start.row.raw)
    return bound
  } catch (refusal) {
    return { change: doomed(change), start: undefined, isFree: false, refusal }
  }
}

async function bindToStored(change: EntityChange, read: RowRead): Promise<BoundChange> {
  // A repetition by an idempotency key may find another row, and then sends another operation.
  const { operation, input } = change
  const { knownAs = operation.name } = input
  const isUpsert = input.etag === undefined
  const found = await read(change)
  if (found === undefined) {
    if (!isUpsert) return { change: doomed(change), start: undefined, isFree: true }
    const { input: made, ...inserted } = withCreation(change, undefined)
    const insert = { ...inserted, operation: insertEntity, input: { ...made, knownAs } }
    return { change: insert, start: { row: undefined }, isFree: true }
  }
  const completed = withCreation(change, found.row)
  const bound = {
    ...completed,
    operation: CONDITIONAL.get(operation) ?? operation,
    input: { ...completed.input, etag: found.etag ?? '*', knownAs },
  }
  return checked(change, { change: bound, start: { row: found.row }, isFree: true })
}

/** Makes a change conditional on a version that no row has. */
export function doomed(change: EntityChange): EntityChange {
  return { ...change, input: { ...change.input, etag: NO_VERSION } }
}

/** The operation of the same effect that takes a condition. */
const CONDITIONAL: ReadonlyMap<Change['operation'], Change['operation']> = new Map([
  [insertOrMergeEntity, mergeEntity],
  [insertOrReplaceEntity, updateEntity],
])

/** The row at the version of the change's ETag, when the object's snapshot is complete. */
function knownStart(
  { write, input, check }: EntityChange,
  { origin }: BoundTable,
): Row | undefined {
  if (check !== undefined) return undefined
  const snapshot = write && snapshotOf(write.entity)
  if (snapshot === undefined || !isOfRow(snapshot, origin, input.key)) return undefined
  const isInDoubt = snapshot.doubtful !== undefined || snapshot.deleted || snapshot.maybeDeleted
  // A migrated entity no longer has the properties of its stored version.
  if (
    isInDoubt ||
    snapshot.migrated !== undefined ||
    !isComplete(snapshot) ||
    snapshot.etag !== input.etag
  )
    return undefined
  return snapshot.row
}

/** The stored row, if it has the version of the change's ETag. */
async function storedAt(change: EntityChange, read: RowRead): Promise<Row | undefined> {
  const found = await read(change)
  return found?.etag === change.input.etag ? found?.row : undefined
}
