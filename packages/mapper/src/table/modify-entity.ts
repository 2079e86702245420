import type { EntityCodec, EntityKey } from '@rowkey/odata'
import {
  type CallOptions,
  DeadlineError,
  ETagMismatchError,
  getEntity,
  OptionValueError,
  perform,
  type TableService,
} from '@rowkey/rest'
import { ModifyConflictError } from '../errors/modify-conflict-error.ts'
import type { ChangeSender } from './change-sender.ts'
import { conflictDelay } from './conflict-delay.ts'
import type { EntityChange } from './entity-change.ts'
import type { EntityChanges } from './entity-changes.ts'
import { isOverAfter } from './is-over-after.ts'

/**
 * Changes the entity that it is given, and may be called again with another one that someone else
 * wrote in the meantime: what it does besides happens as often.
 */
export type EntityModifier<Entity> = (entity: Entity) => void | Promise<void>

/** What is to be modified, how, and who does it. */
export interface Modification<Entity extends object> {
  readonly service: TableService
  readonly codec: EntityCodec<Entity>
  readonly changes: EntityChanges<Entity>
  readonly sender: ChangeSender<Entity>
  readonly key: EntityKey
  readonly modifier: EntityModifier<Entity>
  /** How often to try. */
  readonly attempts: number
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
    const { entity, change } = await readModified(modification, within)
    // What the modifier throws is no conflict of this entity, whatever it is.
    try {
      if (change !== undefined) await sender.send(change, within)
      return entity
    } catch (cause) {
      if (!(cause instanceof ETagMismatchError)) throw cause
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
): Promise<{ readonly entity: Entity; readonly change: EntityChange<Entity> | undefined }> {
  const { service, codec, changes, key } = modification
  // A copy in a second region lags behind, and its ETags match nothing.
  const atPrimary = { ...options, locationMode: 'primaryOnly' } as const
  const input = { table: changes.table, key }
  const { raw, etag } = await perform(service, getEntity, input, atPrimary)
  const entity = codec.read(raw, etag)
  const current = codec.etagOf(entity) ?? etag
  const returned: unknown = await modification.modifier(entity)
  if (typeof returned === 'object' && returned !== null) throw replaced(changes.table)
  return { entity, change: changes.modification(entity, current) }
}

function replaced(table: string): OptionValueError {
  return new OptionValueError({
    message:
      `The function given to modify of table ${table} returned an object, which would get lost. ` +
      'Change the entity that it is given, and return nothing.',
  })
}

function conflict<Entity extends object>(
  modification: Modification<Entity>,
  attempts: number,
  cause: ETagMismatchError,
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
  cause: ETagMismatchError,
): DeadlineError {
  const message =
    `${nameOf(modification)} was not modified within the deadline, in ${attempts} attempts: others ` +
    'wrote it each time.'
  return new DeadlineError({ message, mayHaveApplied: false, attempts, cause })
}

function nameOf<Entity extends object>({ changes, key }: Modification<Entity>): string {
  return `${changes.table}(PartitionKey='${key.partitionKey}',RowKey='${key.rowKey}')`
}
