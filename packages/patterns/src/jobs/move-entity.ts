import {
  type EntityTarget,
  lifetimeOf,
  Operation,
  type Table,
  type TableParts,
} from '@rowkey/mapper'
import {
  DynamicEntity,
  dynamicEntityCodec,
  parseEntityObject,
  ticksOf,
  timestampOfEtag,
} from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { isConflict } from '../conflicts/retry-conflicts.ts'
import { checkMethods, checkObject } from '../errors/check-arguments.ts'
import { patternsInputError } from '../errors/codes.ts'
import { type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'

/** How often the entity is copied again, when other programs change it meanwhile. */
const MAX_ATTEMPTS = 10

/**
 * Moves an entity to another table: it stores a copy, and then deletes the original by the ETag of the copied version. A change of
 * the original in between is copied, too. Each step is idempotent and conditional, so a job may call it again after any failure,
 * and a worker that was paused changes nothing afterwards. Between the two steps, both tables have the entity. The original is
 * deleted for good, also when other deletes of its model are soft.
 *
 * @param from - the table that has the entity
 * @param to - the table that gets it
 * @param target - its key
 * @returns false when `from` does not have it, for example because it was moved before
 * @throws InputError (`MoveConflict`) when `to` has another row under this key that was written after the original: both rows stay
 * as they are
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
  options: ManyWritesOptions = {},
): Promise<boolean> {
  checkMethods(from, 'from of moveEntity', 'a table', ['execute', 'deleteIfExists'])
  checkMethods(to, 'to of moveEntity', 'a table', ['execute', 'insert', 'replace'])
  checkObject(target, 'The key of moveEntity')
  manyWritesOptions.check(options, 'moveEntity')
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
  const locationMode = 'primaryOnly'
  // After a soft delete, the entity could be restored beside its copy, and its unique values would stay taken.
  const original = from.parts.lifetime === undefined ? from : lifetimeOf(from).all
  let own: string | undefined
  for (let attempt = 1; ; attempt++) {
    // Most entities have no copy yet. It is read first: a write by its version is rejected when another worker has moved the
    // entity since.
    const copy =
      attempt === 1 ? {} : await to.execute(Operation.retrieve(target), { ...atTo, locationMode })
    const { entity, etag } = await from.execute(Operation.retrieve(target), {
      ...atFrom,
      locationMode,
    })
    if (entity === undefined) return false
    try {
      own = await storeCopy(to, { entity: entity as Entity, etag, copy, own }, atTo)
      return await original.deleteIfExists(target, { ...atFrom, etag })
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

/** What is known before a copy is stored. */
interface KnownRows<Entity> {
  /** The original, and its ETag. */
  readonly entity: Entity
  readonly etag: string | undefined
  /** The row under its key in the other table. */
  readonly copy: { readonly entity?: object | undefined; readonly etag?: string | undefined }
  /** The ETag of the copy that this call has stored before. */
  readonly own: string | undefined
}

/**
 * Stores the copy, unless the other table has it.
 *
 * @returns the ETag of the copy that this call has stored
 */
async function storeCopy<Entity extends object, Input extends object, Key extends object>(
  to: Table<Entity, Input, Key>,
  { entity, etag, copy, own }: KnownRows<Entity>,
  options: CallOptions,
): Promise<string | undefined> {
  if (copy.entity === undefined) {
    // An entity that was read is a valid input.
    return (await to.execute(Operation.insert(entity as never), options)).etag
  }
  if (copy.etag !== own && !isOlder(copy.etag, etag)) {
    const isCopied = contentOf(to.parts, copy.entity) === contentOf(to.parts, entity)
    if (isCopied) return own
    throw moveConflict(to.parts, entity)
  }
  const byVersion = copy.etag === undefined ? {} : { etag: copy.etag }
  return (await to.execute(Operation.replace(entity as never, byVersion), options)).etag
}

/** Whether a row was written before another one; false when their ETags do not show it. */
function isOlder(etag: string | undefined, other: string | undefined): boolean {
  const [one, two] = [etag, other].map((each) => each && timestampOfEtag(each))
  return one instanceof Date && two instanceof Date && ticksOf(one) < ticksOf(two)
}

/** The properties of an entity as text, without what the service sets and what is stored encrypted. */
function contentOf<Entity extends object>(
  { queryModel, undigested }: TableParts<Entity>,
  entity: object,
): string {
  const isDynamic = entity instanceof DynamicEntity
  const members: Readonly<Record<string, unknown>> = Object(
    isDynamic ? parseEntityObject(dynamicEntityCodec.write(entity)) : entity,
  )
  // Accessors are not among the keys.
  const names = new Set([...Object.keys(members), ...(queryModel.properties ?? [])])
  const own = [...names].filter((name) => !undigested?.has(name)).sort()
  const content = own.map((name) => [name, members[name]])
  return JSON.stringify(content, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
}

function moveConflict<Entity extends object>(
  { name, mapping }: TableParts<Entity>,
  entity: Entity,
): Error {
  const { partitionKey, rowKey } = mapping.codec.keyOf(entity)
  const place = JSON.stringify([partitionKey, rowKey])
  return patternsInputError({
    code: 'MoveConflict',
    message: `moveEntity did not move ${place}: table ${name} has another row under this key that was written after the original. Compare the two, and delete one of them.`,
    details: { table: name, partitionKey, rowKey },
  })
}
