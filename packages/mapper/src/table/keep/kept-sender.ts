import { InputError, parseEntityObject, type RawEntity } from '@rowkey/odata'
import {
  BatchError,
  type CallOptions,
  type Change,
  type ChangeName,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  findEntity,
  perform,
  ServiceError,
  TableNotFoundError,
  type TableService,
  type WriteResult,
} from '@rowkey/rest'
import { afterMerge } from '../../snapshot/after-write.ts'
import {
  isComplete,
  isOfRow,
  namesIn,
  type RowOrigin,
  rowOf,
  snapshotOf,
} from '../../snapshot/snapshot.ts'
import { WriteInFlight } from '../../snapshot/writes-in-flight.ts'
import { isOverAfter } from '../call-options.ts'
import type { EntityChange, WriteSender } from '../write/entity-changes.ts'
import { conflictDelay } from '../write/modify-entity.ts'
import type { KeptWrites } from './kept-models.ts'
import { planAll } from './plan-all.ts'
import type { KeptCall, KeptPlan, RowKeeper, RowTransition } from './row-keeper.ts'

/** How often a write is planned, when other programs change what it depends on. */
const MAX_ATTEMPTS = 10
/** The most changes in one entity group transaction. */
const MAX_CHANGES = 100

/** The parts of a {@link KeptSender}. */
interface KeptSenderParts extends KeptWrites {
  /** Plan what is stored with each write. */
  readonly keepers: readonly RowKeeper[]
}

/** Sends the writes of a table together with what its keepers store. */
export class KeptSender implements WriteSender<object> {
  readonly #parts: KeptSenderParts

  /** @param parts - the table, its keepers, and what sends */
  constructor(parts: KeptSenderParts) {
    this.#parts = parts
  }

  async send(change: EntityChange<object>, options: CallOptions): Promise<WriteResult> {
    try {
      const [result] = await this.sendAll([change], options)
      return result ?? {}
    } catch (error) {
      throw singleError(error)
    }
  }

  async deleteIfExists(change: EntityChange<object>, options: CallOptions): Promise<boolean> {
    const within = this.#parts.service.withDeadline(options)
    const isKeyed = options.idempotencyKey !== undefined
    for (let attempt = 1; ; attempt++) {
      const earlier = isKeyed ? await this.#endMissing(change, within) : undefined
      if (earlier !== undefined) return earlier
      try {
        await this.send(change, within)
        return true
      } catch (error) {
        if (!(error instanceof EntityNotFoundError)) throw error
        if (!isKeyed) return false
        // Stored by another program before, and deleted since: the key must know that, too.
        if (attempt >= MAX_ATTEMPTS) throw error
      }
    }
  }

  /**
   * Returns what an earlier call with the caller's key has done. If the row is missing, it stores under the key that
   * there was nothing to delete. It deletes nothing itself: `undefined` means that the row exists.
   */
  async #endMissing(
    change: EntityChange<object>,
    options: CallOptions,
  ): Promise<boolean | undefined> {
    const ending = { ...change, input: { ...change.input, etag: NO_VERSION } }
    try {
      return await this.#parts.sender.deleteIfExists(ending, options)
    } catch (error) {
      if (error instanceof ETagMismatchError) return undefined
      throw error
    }
  }

  sendAll(changes: readonly EntityChange<object>[], options: CallOptions): Promise<WriteResult[]> {
    const { pendingCalls } = this.#parts.service
    // Their objects know of them from the call on, and not only when they are planned and sent.
    const planned = changes.flatMap(({ write }) => (write ? new WriteInFlight(write) : []))
    const work = pendingCalls.runSeries(options, (call) => this.#sendPlanned(changes, call))
    return work.finally(() => {
      for (const each of planned) each.end()
    })
  }

  async #sendPlanned(
    changes: readonly EntityChange<object>[],
    options: CallOptions,
  ): Promise<WriteResult[]> {
    const { service, table: name } = this.#parts
    const within = service.withDeadline(options)
    for (let attempt = 1; ; attempt++) {
      const bound = await this.#bind(changes, within)
      const plan = await this.#plan(bound, { table: { service, name }, attempt, options: within })
      try {
        return await this.#sendBound(bound, plan.companions, within)
      } catch (error) {
        const final = await finalError(error, bound, plan)
        if (final !== undefined) throw final
        const delay = conflictDelay(attempt, service.random())
        if (attempt >= MAX_ATTEMPTS || isOverAfter(delay, service, within)) throw error
        await service.sleep(delay, options.signal)
      }
    }
  }

  /** The rows of the keepers are known only when a write is planned, so they are not counted. */
  bytesOf(changes: readonly EntityChange<object>[]): number {
    return this.#parts.sender.bytesOf(changes)
  }

  #bind(changes: readonly EntityChange<object>[], options: CallOptions): Promise<BoundChange[]> {
    const { service, origin, table, keepers } = this.#parts
    const touches = (names: ReadonlySet<string>) => keepers.some((each) => each.touches(names))
    const binding = { service, origin, table, touches }
    return Promise.all(changes.map((change) => bindChange(change, binding, options)))
  }

  async #plan(bound: readonly BoundChange[], call: KeptCall): Promise<KeptPlan> {
    const transitions = bound.flatMap(({ transition }) => transition ?? [])
    if (transitions.length === 0) return { companions: [], rejected: async (_, error) => error }
    return planAll(this.#parts.keepers, transitions, call)
  }

  async #sendBound(
    bound: readonly BoundChange[],
    companions: readonly Change[],
    options: CallOptions,
  ): Promise<WriteResult[]> {
    const { sender, table } = this.#parts
    const changes = bound.map(({ change }) => change)
    const [only] = changes
    if (only !== undefined && changes.length + companions.length === 1) {
      return [await sender.send(only, options)]
    }
    const total = changes.length + companions.length
    if (total > MAX_CHANGES && companions.length > 0) throw tooMany(table, changes.length, total)
    const results = await sender.sendAll(changes, options, companions.map(unknownToKeys))
    return results.slice(0, changes.length)
  }
}

/** An idempotency key knows the caller's writes only: what follows from them may differ later. */
function unknownToKeys({ operation, input }: Change): Change {
  return { operation, input: { ...input, knownAs: '' } }
}

/** The error that the caller gets; `undefined` when the write is to be planned again. */
async function finalError(
  error: unknown,
  bound: readonly BoundChange[],
  plan: KeptPlan,
): Promise<unknown> {
  if (!(error instanceof ServiceError)) return error
  const index = error instanceof BatchError ? error.index : 0
  if (index === undefined) return error
  if (index >= bound.length) return plan.rejected(index - bound.length, error as BatchError)
  const { isFree = false, transition } = bound[index] ?? {}
  // A row that was missing when the write was planned is missing for its caller, too.
  const isMissing = error.status === 404 && transition === undefined
  const isConflict = [404, 409, 412].includes(error.status) && error.code !== 'TableNotFound'
  return isFree && isConflict && !isMissing ? undefined : error
}

function tooMany(table: string, changes: number, total: number): InputError {
  return new InputError({
    code: 'InvalidBatch',
    message:
      `The batch of ${changes} changes in table ${table} needs ${total} operations with the rows that are kept in step, ` +
      `and a transaction has at most ${MAX_CHANGES}. Split the batch.`,
  })
}

const CLASSES: Readonly<Record<string, typeof ServiceError>> = {
  ConditionNotMet: ETagMismatchError,
  EntityAlreadyExists: EntityAlreadyExistsError,
  ResourceNotFound: EntityNotFoundError,
  TableNotFound: TableNotFoundError,
  UpdateConditionNotSatisfied: ETagMismatchError,
}

/**
 * Returns the error that a write would have had alone, for a write that was sent in a transaction with the
 * rows that are kept in step with it. Any other error stays as it is.
 */
function singleError(error: unknown): unknown {
  if (!(error instanceof BatchError) || error.index !== 0) return error
  const { message, status, code, requestId, mayHaveApplied, change } = error
  const operation = change?.operation ?? error.operation
  const Single = CLASSES[code] ?? ServiceError
  const single = new Single({ message, status, code, requestId, operation, mayHaveApplied })
  single.attempts = error.attempts
  return single
}

/** A change that is bound to the version of the row that it starts from. */
interface BoundChange {
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
interface Binding {
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
async function bindChange(
  change: EntityChange<object>,
  binding: Binding,
  options: CallOptions,
): Promise<BoundChange> {
  const { operation, input } = change
  const plain: BoundChange = { change, transition: undefined, isFree: false }
  if (operation === 'retrieveEntity') return plain
  if (operation === 'insertEntity') return { ...plain, transition: toTransition(change, undefined) }
  if (operation === 'mergeEntity' && !binding.touches(namesIn(input.body))) return plain
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
  // A repetition by an idempotency key may find another row, and then sends another operation.
  const { operation: knownAs, input } = change
  const isUpsert = input.etag === undefined
  const read = { table, key: input.key }
  const found = await perform(service, findEntity, read, atPrimary(options))
  if (found === undefined && !isUpsert) {
    const doomed = { ...change, input: { ...input, etag: NO_VERSION } }
    return { change: doomed, transition: undefined, isFree: true }
  }
  if (found === undefined) {
    const inserted: EntityChange<object> = {
      ...change,
      operation: 'insertEntity',
      input: { ...input, knownAs },
    }
    return { change: inserted, transition: toTransition(inserted, undefined), isFree: true }
  }
  const bound = {
    ...change,
    operation: CONDITIONAL[knownAs] ?? knownAs,
    input: { ...input, etag: etagOf(found.raw, found.etag) ?? '*', knownAs },
  }
  return { change: bound, transition: toTransition(bound, found.raw), isFree: true }
}

/**
 * An ETag that no row has. The service rejects the write of a missing row with 404, and a row that another program
 * stores first with 412, so that the write is planned again.
 */
const NO_VERSION = `W/"datetime'1601-01-01T00%3A00%3A00.0000000Z'"`

/** The operation of the same effect that takes a condition. */
const CONDITIONAL: Readonly<Partial<Record<ChangeName, ChangeName>>> = {
  insertOrMergeEntity: 'mergeEntity',
  insertOrReplaceEntity: 'updateEntity',
}

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

function toTransition(
  { operation, input }: EntityChange<object>,
  before: RawEntity | undefined,
): RowTransition {
  const { key, body } = input
  if (body === '') return { key, before, after: undefined }
  const isMerge = operation === 'mergeEntity' && before !== undefined
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
