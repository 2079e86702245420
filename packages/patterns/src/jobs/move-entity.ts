import { type EntityTarget, Operation, type Table } from '@rowkey/mapper'
import { type CallOptions, checkOptions, ETagMismatchError } from '@rowkey/rest'
import { CALL_OPTIONS, checkMethods, checkObject } from '../errors/check-arguments.ts'

/** How often the entity is copied again, when other programs change it meanwhile. */
const MAX_ATTEMPTS = 10

/**
 * Moves an entity to another table: it stores a copy, and then deletes the original by the ETag
 * of the copied version.
 * A change in between is copied, too, and not lost. Every step is idempotent, so a job may call it again after any
 * failure. Between the two steps, both tables have the entity.
 *
 * @param from - the table that has the entity
 * @param to - the table that gets it
 * @param target - its key
 * @returns false when `from` does not have it, for example because it was moved before
 *
 * @example
 * ```ts
 * await moveEntity(current, archive, { department: 'Sales', id: 456 })
 * ```
 */
export async function moveEntity<Entity extends object, Input extends object, Key extends object>(
  from: Table<Entity, Input, Key>,
  to: Table<Entity, Input, Key>,
  target: EntityTarget | Key,
  options: CallOptions = {},
): Promise<boolean> {
  checkMethods(from, 'from of moveEntity', 'a table', ['execute', 'deleteIfExists'])
  checkMethods(to, 'to of moveEntity', 'a table', ['insertOrReplace'])
  checkObject(target, 'The key of moveEntity')
  checkOptions(options, CALL_OPTIONS, 'moveEntity')
  // Of two accounts, both are to wait for the whole move when they are closed with `drain`.
  return from.parts.service.pendingCalls.runSeries(options, (atFrom) =>
    to.parts.service.pendingCalls.runSeries(options, (atTo) =>
      move(from, to, target, { atFrom, atTo }),
    ),
  )
}

/** The options of the calls of the two tables. */
interface MoveOptions {
  readonly atFrom: CallOptions
  readonly atTo: CallOptions
}

async function move<Entity extends object, Input extends object, Key extends object>(
  from: Table<Entity, Input, Key>,
  to: Table<Entity, Input, Key>,
  target: EntityTarget | Key,
  { atFrom, atTo }: MoveOptions,
): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const atPrimary = { ...atFrom, locationMode: 'primaryOnly' } as const
    const { entity, etag } = await from.execute(Operation.retrieve(target), atPrimary)
    if (entity === undefined) return false
    await to.insertOrReplace(entity as Entity, atTo)
    try {
      return await from.deleteIfExists(target, { ...atFrom, etag })
    } catch (error) {
      if (!(error instanceof ETagMismatchError) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}
