import { parseEntityObject, type RawEntity } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  findEntity,
  insertEntity,
  insertOrMergeEntity,
  insertOrReplaceEntity,
  mergeEntity,
  perform,
  retrieveEntity,
  type TableService,
  updateEntity,
} from '@rowkey/rest'
import {
  afterMerge,
  isComplete,
  isOfRow,
  namesIn,
  type RowOrigin,
  rowOf,
  snapshotOf,
} from '../../snapshot/snapshot.ts'
import type { EntityChange } from '../write/entity-changes.ts'
import type { RowTransition } from './row-keeper.ts'

/** A change that is bound to the version of the row that it starts from. */
export interface BoundChange {
  /** The request. */
  readonly change: EntityChange<object>
  /**
   * What it does to the row; `undefined` when that matters to no keeper, or the change cannot
   * succeed.
   */
  readonly transition: RowTransition | undefined
  /** The caller gave no condition, so the change is planned again when the row changes first. */
  readonly isFree: boolean
}

/** What binding a change needs. */
export interface Binding {
  readonly service: TableService
  readonly origin: RowOrigin
  readonly table: string
  /** Whether a merge of these stored names matters. */
  touches(names: ReadonlySet<string>): boolean
}

/**
 * Binds a change to the version of the row that it starts from: the version that the object knows, or the
 * version that is stored now. An upsert becomes an insert or a conditional write.
 */
export async function bindChange(
  change: EntityChange<object>,
  binding: Binding,
  options: CallOptions,
): Promise<BoundChange> {
  const { operation, input } = change
  const plain: BoundChange = { change, transition: undefined, isFree: false }
  if (operation === retrieveEntity) return plain
  if (operation === insertEntity) return { ...plain, transition: toTransition(change, undefined) }
  if (operation === mergeEntity && !binding.touches(namesIn(input.body))) return plain
  const isFree = input.etag === undefined || input.etag === '*'
  if (isFree) return bindToStored(change, binding, options)
  const known = knownRow(change, binding.origin) ?? (await storedAt(change, binding, options))
  // Without that version the service rejects the change, and says why.
  return known === undefined ? plain : { ...plain, transition: toTransition(change, known) }
}

async function bindToStored(
  change: EntityChange<object>,
  { service, table }: Binding,
  options: CallOptions,
): Promise<BoundChange> {
  const { operation, input } = change
  const isUpsert = input.etag === undefined
  const read = { table, key: input.key }
  const found = await perform(service, findEntity, read, atPrimary(options))
  if (found === undefined && !isUpsert) {
    const doomed = { ...change, input: { ...input, etag: NO_VERSION } }
    return { change: doomed, transition: undefined, isFree: true }
  }
  if (found === undefined) {
    const inserted = { ...change, operation: insertEntity }
    return { change: inserted, transition: toTransition(inserted, undefined), isFree: true }
  }
  const bound = {
    ...change,
    operation: CONDITIONAL.get(operation) ?? operation,
    input: { ...input, etag: etagOf(found.raw, found.etag) ?? '*' },
  }
  return { change: bound, transition: toTransition(bound, found.raw), isFree: true }
}

/**
 * An ETag that no row has. The service rejects the write of a missing row with 404, and a row that another program
 * stores first with 412, so that the write is planned again.
 */
const NO_VERSION = `W/"datetime'1601-01-01T00%3A00%3A00.0000000Z'"`

/** The operation of the same effect that takes a condition. */
const CONDITIONAL: ReadonlyMap<Change['operation'], Change['operation']> = new Map([
  [insertOrMergeEntity, mergeEntity],
  [insertOrReplaceEntity, updateEntity],
])

/** The row at the version of the change's ETag, when the object knows all of it. */
function knownRow(
  { entity, input }: EntityChange<object>,
  origin: RowOrigin,
): RawEntity | undefined {
  const snapshot = entity && snapshotOf(entity)
  if (snapshot === undefined || !isOfRow(snapshot, origin, input.key)) return undefined
  const isInDoubt = snapshot.doubtful !== undefined || snapshot.deleted || snapshot.maybeDeleted
  // A migrated entity no longer knows the properties of its stored version.
  if (
    isInDoubt ||
    snapshot.migrated !== undefined ||
    !isComplete(snapshot) ||
    snapshot.etag !== input.etag
  )
    return undefined
  return rowOf(snapshot)
}

/** The stored row, if it has the version of the change's ETag. */
async function storedAt(
  { input }: EntityChange<object>,
  { service, table }: Binding,
  options: CallOptions,
): Promise<RawEntity | undefined> {
  const read = { table, key: input.key }
  const found = await perform(service, findEntity, read, atPrimary(options))
  return found && etagOf(found.raw, found.etag) === input.etag ? found.raw : undefined
}

function toTransition({ operation, input }: Change, before: RawEntity | undefined): RowTransition {
  const { key, body } = input
  if (body === '') return { key, before, after: undefined }
  const isMerge = operation === mergeEntity && before !== undefined
  return { key, before, after: isMerge ? afterMerge(before, body) : parseEntityObject(body) }
}

function etagOf(raw: RawEntity, etag: string | undefined): string | undefined {
  const own = raw['odata.etag']
  return typeof own === 'string' ? own : etag
}

/** A copy in a second region lags behind, and its ETags match nothing. */
function atPrimary(options: CallOptions): CallOptions {
  return { ...options, locationMode: 'primaryOnly' }
}
