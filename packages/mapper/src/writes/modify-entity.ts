import {
  compareKeys,
  type DeclaredOptions,
  declareOptions,
  type EntityKey,
  type InputError,
  invalidOption,
  rule,
  wholeNumber,
} from '@rowkey/odata'
import {
  afterWrite,
  BatchError,
  type Call,
  type CallOptions,
  callOptions,
  conflictOf,
  DeadlineError,
  entityName,
  findEntity,
  insertEntity,
  isUnsent,
  type ReadResult,
  type ServiceError,
} from '@rowkey/rest'
import { keyText } from '../errors/compose-errors.ts'
import { ModifyConflictError } from '../errors/modify-conflict-error.ts'
import { readRow } from '../rows/read-row.ts'
import { snapshotOf } from '../snapshot/snapshot.ts'
import { asMerge, type Write } from './write.ts'
import type { Writes } from './writes.ts'

/**
 * Changes its argument. It may be called again with a newer version of the entity, so it should have no
 * other effects.
 */
export type EntityModifier<Entity> = (this: Entity, entity: Entity) => void | Promise<void>

/** The options of modify. */
export interface ModifyOptions<Input extends object = object> extends CallOptions {
  /**
   * The most attempts to read, change and write the entity, when it changes in between.
   *
   * @defaultValue 10
   */
  readonly attempts?: number | undefined
  /**
   * The entity to insert when it is missing, or a function that makes it. It is stored as it is, without
   * calling the modifier. Its key must be that of the target.
   */
  readonly orInsert?: Input | (() => Input | Promise<Input>) | undefined
}

export const modifyOptions: DeclaredOptions<ModifyOptions> = declareOptions<ModifyOptions>({
  ...callOptions.rules,
  attempts: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  orInsert: rule(
    'an entity, or a function that returns one',
    (given) => typeof given === 'function' || (typeof given === 'object' && given !== null),
  ),
})

/** The default of `attempts`. */
export const MODIFY_ATTEMPTS = 10

/** A modification, and the writes of its table. */
export interface Modification<Entity extends object> {
  readonly writes: Writes<Entity>
  readonly key: EntityKey
  readonly modifier: EntityModifier<Entity>
  /** The most attempts; `MODIFY_ATTEMPTS` when absent. */
  readonly attempts?: number | undefined
  /** The entity to insert when it is missing. */
  readonly orInsert: object | (() => object | Promise<object>) | undefined
  /** Called when a function of the caller does not end at once. */
  readonly onWait?: (() => void) | undefined
}

/**
 * Reads an entity, lets the caller change it, and writes the changes. It tries again when the entity
 * changed in between.
 *
 * @param modification - the entity and the modifier
 * @param call - the call
 * @throws `ModifyConflictError` when it changed in between in every attempt
 * @throws DeadlineError when the next wait would pass the deadline; it does not wait then
 */
export async function modifyEntity<Entity extends object>(
  modification: Modification<Entity>,
  call: Call,
): Promise<Entity> {
  const { writes, attempts = MODIFY_ATTEMPTS } = modification
  for (let attempt = 1; ; attempt++) {
    const { entity, write } =
      (await readModified(modification, call)) ?? (await toInsert(modification))
    // An error of the modifier is never a conflict of this entity.
    try {
      if (write === undefined) return entity
      // A repetition by the key may find the entity that this write inserts, or find it missing.
      const { status } = await writes.send(asMerge(write), call)
      // Without a response of its own, an earlier call with the key may have made the write.
      if (status !== undefined || call.given.idempotencyKey === undefined) return entity
    } catch (cause) {
      if (!isConflict(cause, write, modification)) throw cause
      if (attempt >= attempts) throw conflict(modification, attempt, cause)
      if (await call.again(attempt)) continue
      throw tooLate(modification, attempt, cause)
    }
    const { raw, etag } = await afterWrite(readLatest(modification, call))
    return readRow(writes.table, raw, etag)
  }
}

/** Reads the row as it is stored now. */
export function readLatest<Entity extends object>(
  { writes, key }: Modification<Entity>,
  call: Call,
): Promise<ReadResult> {
  const { name, rows } = writes.table
  return rows.get(call.atPrimary(), { table: name, key })
}

/** Reads the entity, calls the modifier, and makes the write to send, if any. */
async function readModified<Entity extends object>(
  modification: Modification<Entity>,
  call: Call,
): Promise<ModifiedEntity<Entity> | undefined> {
  const { writes, key, orInsert } = modification
  const { service, name, rows } = writes.table
  const isInserted = orInsert !== undefined
  const found = isInserted
    ? await call.atPrimary().perform(findEntity, { table: name, key })
    : await readLatest(modification, call)
  if (found === undefined) return undefined
  const { raw, etag } = found
  if (isInserted && rows.hides(raw, service.now())) return overHidden(modification, found)
  const entity = readRow(writes.table, raw, etag)
  const current = snapshotOf(entity)?.etag ?? etag
  checkReturned(name, await ended(modification, modification.modifier.call(entity, entity)))
  return { entity, write: writes.of(entity).modification(entity, current) }
}

/** Waits for a function of the caller. */
async function ended<Result>(
  { onWait }: Pick<Modification<object>, 'onWait'>,
  result: Result | Promise<Result>,
): Promise<Result> {
  if (onWait !== undefined && !(await endsAtOnce(result))) onWait()
  return result
}

/**
 * Calls the modifier, unless it waits for something.
 *
 * @returns `false` when it waits; it then changes an entity that must not be used
 * @throws what the modifier throws
 */
export async function applyAtOnce<Entity extends object>(
  { writes, modifier }: Modification<Entity>,
  entity: Entity,
): Promise<boolean> {
  const result: unknown = modifier.call(entity, entity)
  if (!(await endsAtOnce(result))) return false
  checkReturned(writes.table.name, await result)
  return true
}

/** Tells whether a result is there without waiting: an async function that awaits nothing takes a few microtasks. */
async function endsAtOnce(result: unknown): Promise<boolean> {
  if (typeof Object(result).then !== 'function') return true
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
  }
  void Promise.resolve(result).then(end, end)
  for (let turn = 0; turn < MICROTASKS && !hasEnded; turn++) await undefined
  return hasEnded
}

const MICROTASKS = 5

/** Rejects an object that the caller's function returns: it would be ignored. */
function checkReturned(table: string, returned: unknown): void {
  if (typeof returned === 'object' && returned !== null) throw replaced(table)
}

/** Replaces an expired row by the entity to insert; a row that is deleted softly can be restored. */
async function overHidden<Entity extends object>(
  modification: Modification<Entity>,
  { raw, etag }: ReadResult,
): Promise<ModifiedEntity<Entity>> {
  const { writes, key } = modification
  const { service, name, rows } = writes.table
  rows.checkReplaced(raw, { table: name, key }, service.now())
  const { entity } = await toInsert(modification)
  return { entity, write: writes.of(entity).replace(entity, etag) }
}

/** Makes the insert for a missing entity, for a modification with `orInsert`. */
async function toInsert<Entity extends object>(
  modification: Modification<Entity>,
): Promise<ModifiedEntity<Entity>> {
  const { writes, key, orInsert } = modification
  const made = await ended(modification, typeof orInsert === 'function' ? orInsert() : orInsert)
  const write = writes.of(made as object).insert(made as object) // rejects any other value
  if (compareKeys(write.input.key, key) !== 0) {
    throw invalidOption(
      `orInsert of modify of table ${writes.table.name} has the key ${keyText(write.input.key)}, but the target has ${keyText(key)}. Use the same key.`,
    )
  }
  return { entity: write.object?.entity as Entity, write }
}

/** Whether another client changed, inserted or deleted the entity in between. */
export function isConflict(
  cause: unknown,
  write: Write | undefined,
  { orInsert }: Pick<Modification<object>, 'orInsert'>,
): cause is ServiceError {
  // A batch fails as a whole. A keeper of the table may reject a write that was not sent, for a reason that stays.
  switch (cause instanceof BatchError ? undefined : conflictOf(cause)) {
    case 'changed':
      return !isUnsent(cause)
    case 'missing':
      // The next attempt inserts the entity.
      return orInsert !== undefined
    case 'exists':
      return write?.operation === insertEntity
    default:
      return false
  }
}

/** The modified entity, and the write to send, if any. */
interface ModifiedEntity<Entity extends object> {
  readonly entity: Entity
  readonly write: Write | undefined
}

function replaced(table: string): InputError {
  return invalidOption(
    `The function of modify of table ${table} returned an object, which would be ignored. ` +
      'Change its argument, and return nothing.',
  )
}

/** Makes the error of an entity that changed in every attempt. */
export function conflict<Entity extends object>(
  { writes, key }: Modification<Entity>,
  attempts: number,
  cause: ServiceError,
): ModifyConflictError {
  const message =
    `${entityName({ table: writes.table.name, key })} was not modified: it changed in each of ${attempts} attempts. Try ` +
    'later, allow more attempts, or spread its data over several entities.'
  return new ModifyConflictError({ message, key, attempts, cause })
}

/** Makes the error of an entity that changed until the deadline. */
export function tooLate<Entity extends object>(
  { writes, key }: Modification<Entity>,
  attempts: number,
  cause: ServiceError,
): DeadlineError {
  const message =
    `${entityName({ table: writes.table.name, key })} was not modified within the deadline: it changed in each of ` +
    `${attempts} attempts.`
  return new DeadlineError({ message, mayHaveApplied: false, attempts, cause })
}
