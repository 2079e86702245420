import { parseEntityObject } from '@rowkey/odata'
import {
  type CallOptions,
  type Change,
  deleteEntityIfExists,
  EntityNotFoundError,
  type EntityWrite,
  type Operation,
  partNotLoaded,
  perform,
  type TableService,
  type WriteResult,
} from '@rowkey/rest'
import type { RowCodec } from '../../codec/row-codec.ts'
import { afterApplied, afterUncertain } from '../../snapshot/after-write.ts'
import { keepSnapshot, snapshotOf } from '../../snapshot/snapshot.ts'
import type { WriteInFlight } from '../../snapshot/writes-in-flight.ts'
import type { OperationResult } from '../operation/operation.ts'
import type { RowReader } from '../read/row-reader.ts'
import type { WriteParts } from './batch.ts'
import { CHANGE_OPERATIONS } from './change-operations.ts'
import type { EntityChange } from './entity-changes.ts'

/** The table of some writes. */
export interface WrittenTable {
  readonly service: TableService
  /** The name of the table. */
  readonly table: string
  /** Assigns new ETags to its entities. */
  readonly codec: Pick<RowCodec<object>, 'showVersion'>
}

/** A change whose object knows that it is being written. */
export interface BegunChange {
  readonly change: EntityChange<object>
  /** Receives the outcome; `undefined` without an object. */
  readonly inFlight: WriteInFlight | undefined
}

/** Sends one change in a request of its own. */
export function sendChange(
  table: WrittenTable,
  begun: BegunChange,
  options: CallOptions,
): Promise<WriteResult> {
  return sendAs(CHANGE_OPERATIONS[begun.change.operation], table, begun, options)
}

/** Sends one delete; returns false when the entity did not exist. */
export async function deleteExisting(
  table: WrittenTable,
  begun: BegunChange,
  options: CallOptions,
): Promise<boolean> {
  if (begun.change.operation === 'deleteEntity') {
    return (await sendAs(deleteEntityIfExists, table, begun, options)).deleted
  }
  try {
    await sendChange(table, begun, options)
    return true
  } catch (error) {
    if (error instanceof EntityNotFoundError) return false
    throw error
  }
}

/** The changes of one transaction. */
export interface BegunChangeSet {
  readonly begun: readonly BegunChange[]
  /** What is stored with them, for no object. */
  readonly companions?: readonly Change[] | undefined
}

/** Sends changes of one partition in one request: all are applied, or none. */
export async function sendChangeSet(
  { service, table, codec }: WrittenTable,
  { begun, companions }: BegunChangeSet,
  options: CallOptions,
): Promise<WriteResult[]> {
  const changes = begun.map(({ change }) => change)
  const work = service.pendingCalls.runSeries(options, async (call) => {
    performChangeSet ??= (await import('./perform-change-set.ts').catch(partNotLoaded))
      .performChangeSet
    return performChangeSet(service, { table, changes, companions }, call)
  })
  const results = await work.catch((error: unknown) => {
    for (const each of begun) failed(each, error)
    throw error
  })
  begun.forEach((each, index) => {
    applied(codec, each, results[index])
  })
  return results
}

/** Many programs send no transactions, so it is loaded with the first, and not awaited again. */
let performChangeSet: typeof import('./perform-change-set.ts').performChangeSet | undefined

async function sendAs<Result extends WriteResult>(
  operation: Operation<EntityWrite, Result>,
  { service, codec }: WrittenTable,
  begun: BegunChange,
  options: CallOptions,
): Promise<Awaited<Result>> {
  const work = perform(service, operation, begun.change.input, options)
  const result = await work.catch((error: unknown) => {
    failed(begun, error)
    throw error
  })
  applied(codec, begun, result)
  return result
}

function applied(
  codec: WrittenTable['codec'],
  { change: { entity, write }, inFlight }: BegunChange,
  { etag }: WriteResult = {},
): void {
  if (inFlight === undefined || entity === undefined) return
  const snapshot = afterApplied(inFlight, etag)
  if (write?.body !== undefined) codec.showVersion(entity, snapshot?.etag)
}

function failed({ inFlight }: BegunChange, error: unknown): void {
  if (inFlight === undefined) return
  const { mayHaveApplied }: { readonly mayHaveApplied?: unknown } = Object(error)
  if (mayHaveApplied === true) afterUncertain(inFlight)
  else inFlight.end()
}

/**
 * Returns the result of an operation.
 *
 * @param change - the change that it made
 * @param result - the response to the change
 * @param table - reads the rows of the table
 */
export function resultOf(
  change: EntityChange<object>,
  { raw, etag, status }: WriteResult,
  { isHidden, rows }: WriteParts<object>,
): OperationResult<object | undefined> {
  if (raw === undefined) {
    // A delete leaves nothing to return.
    const isDeletion = change.write?.body === undefined
    return { etag, entity: isDeletion ? undefined : writtenEntity(change, rows), status }
  }
  return isHidden?.(raw) ? NOTHING : { etag, entity: rows.read(raw, etag), status }
}

/** The result of a retrieve that finds nothing. */
const NOTHING = Object.freeze({ etag: undefined, entity: undefined, status: 404 })

/**
 * Returns the object that was written, with the output of its schema. If the object cannot be assigned to,
 * it returns a new object with the stored values.
 *
 * @param change - a write that was applied
 * @param rows - reads the rows of the table
 */
export function writtenEntity<Entity extends object>(
  { entity, operation, input, write }: EntityChange<object>,
  rows: RowReader<Entity>,
): object | undefined {
  if (entity === undefined || write?.body === undefined || Object.isExtensible(entity))
    return entity
  // The body of a merge is not a whole row.
  if (operation === 'mergeEntity') return entity
  const snapshot = snapshotOf(entity)
  const shown = rows.read(parseEntityObject(input.body), snapshot?.etag)
  if (snapshot !== undefined) keepSnapshot(shown, snapshot)
  return shown
}
