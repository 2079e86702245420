import type { EntityKey } from '@rowkey/odata'
import { InputError } from '@rowkey/odata'
import {
  type CallOptions,
  DeadlineError,
  EntityAlreadyExistsError,
  ETagMismatchError,
  findEntity,
  getEntity,
  insertEntity,
  perform,
  type ServiceError,
  type TableService,
} from '@rowkey/rest'
import { ModifyConflictError } from '../../errors/modify-conflict-error.ts'
import { snapshotOf } from '../../snapshot/snapshot.ts'
import type { RowReader } from '../read/row-reader.ts'
import type { ChangeSender } from './change-sender.ts'
import { conflictDelay } from './conflict-delay.ts'
import type { EntityChange } from './entity-change.ts'
import type { EntityChanges } from './entity-changes.ts'
import { isOverAfter } from './is-over-after.ts'

/**
 * Changes the entity that it is given, and may be called again with another one that someone else
 * wrote in the meantime: what it does besides happens as often.
 */
export type EntityModifier<Entity> = (this: Entity, entity: Entity) => void | Promise<void>

/** What is to be modified, how, and who does it. */
export interface Modification<Entity extends object> {
  readonly service: TableService
  readonly rows: RowReader<Entity>
  readonly changes: EntityChanges<Entity>
  readonly sender: ChangeSender<Entity>
  readonly key: EntityKey
  readonly modifier: EntityModifier<Entity>
  /** How often to try. */
  readonly attempts: number
  /** What to insert when the entity is missing. */
  readonly orInsert: object | (() => object | Promise<object>) | undefined
}

/**
 * Reads an entity, lets the caller change it, and writes what changed, as long as others write it in
 * between.
 *
 * @param modification - what, and how
 * @param options - those of the call
 * @throws {@link ModifyConflictError} when others did so in each attempt
 * @throws DeadlineError when the next wait would go past the deadline; then it is not begun
 */
export async function modifyEntity<Entity extends object>(
  modification: Modification<Entity>,
  options: CallOptions,
): Promise<Entity> {
  const { service, sender, attempts } = modification
  const within = service.withDeadline(options)
  for (let attempt = 1; ; attempt++) {
    const { entity, change } =
      (await readModified(modification, within)) ?? (await toInsert(modification))
    // What the modifier throws is no conflict of this entity, whatever it is.
    try {
      if (change !== undefined) await sender.send(change, within)
      return entity
    } catch (cause) {
      if (!isConflict(cause, change)) throw cause
      if (attempt >= attempts) throw conflict(modification, attempt, cause)
      const delay = conflictDelay(attempt, service.random())
      if (isOverAfter(delay, service, within)) throw tooLate(modification, attempt, cause)
      await service.sleep(delay, options.signal)
    }
  }
}

/** The entity as it is stored, modified, and what is to be sent of it, if anything. */
async function readModified<Entity extends object>(
  modification: Modification<Entity>,
  options: CallOptions,
): Promise<ModifiedEntity<Entity> | undefined> {
  const { service, rows, changes, key } = modification
  // A copy in a second region lags behind, and its ETags match nothing.
  const atPrimary = { ...options, locationMode: 'primaryOnly' } as const
  const input = { table: changes.table, key }
  const find = modification.orInsert === undefined ? getEntity : findEntity
  const found = await perform(service, find, input, atPrimary)
  if (found === undefined) return undefined
  const { raw, etag } = found
  const entity = rows.read(raw, etag)
  const current = snapshotOf(entity)?.etag ?? etag
  const returned: unknown = await modification.modifier.call(entity, entity)
  if (typeof returned === 'object' && returned !== null) throw replaced(changes.table)
  return { entity, change: changes.modification(entity, current) }
}

/** What is stored when the entity is missing. Only a modification with `orInsert` gets here. */
async function toInsert<Entity extends object>({
  changes,
  key,
  orInsert,
}: Modification<Entity>): Promise<ModifiedEntity<Entity>> {
  const made = await (typeof orInsert === 'function' ? orInsert() : orInsert)
  const change = changes.insert(made as Entity) // what else it may be is rejected there
  const { partitionKey, rowKey } = change.input.key
  if (partitionKey !== key.partitionKey || rowKey !== key.rowKey) {
    throw new InputError({
      code: 'InvalidOptionValue',
      message: `orInsert of modify of table ${changes.table} has the key ${JSON.stringify([partitionKey, rowKey])}, and the call names ${JSON.stringify([key.partitionKey, key.rowKey])}. Use the same key.`,
    })
  }
  return { entity: change.entity as Entity, change }
}

/** Another program wrote the entity in between, or stored it first. */
function isConflict(
  cause: unknown,
  change: EntityChange<object> | undefined,
): cause is ServiceError {
  if (cause instanceof ETagMismatchError) return true
  return cause instanceof EntityAlreadyExistsError && change?.operation === insertEntity
}

/** An entity as it is to be stored, and what is to be sent of it, if anything. */
interface ModifiedEntity<Entity extends object> {
  readonly entity: Entity
  readonly change: EntityChange<Entity> | undefined
}

function replaced(table: string): InputError {
  return new InputError({
    code: 'InvalidOptionValue',
    message:
      `The function given to modify of table ${table} returned an object, which would get lost. ` +
      'Change the entity that it is given, and return nothing.',
  })
}

function conflict<Entity extends object>(
  modification: Modification<Entity>,
  attempts: number,
  cause: ServiceError,
): ModifyConflictError {
  const { key } = modification
  const message =
    `${nameOf(modification)} was not modified: others wrote it in each of ${attempts} attempts. Try ` +
    'later, allow more attempts, or spread what is written so often over several entities.'
  return new ModifyConflictError({ message, key, attempts, cause })
}

function tooLate<Entity extends object>(
  modification: Modification<Entity>,
  attempts: number,
  cause: ServiceError,
): DeadlineError {
  const message =
    `${nameOf(modification)} was not modified within the deadline, in ${attempts} attempts: others ` +
    'wrote it each time.'
  return new DeadlineError({ message, mayHaveApplied: false, attempts, cause })
}

function nameOf<Entity extends object>({ changes, key }: Modification<Entity>): string {
  return `${changes.table}(PartitionKey='${key.partitionKey}',RowKey='${key.rowKey}')`
}
