import {
  atPrimary,
  codecOf,
  declaredNames,
  type EntityTarget,
  lifetimeOf,
  Operation,
  type Table,
  type TableParts,
} from '@rowkey/mapper'
import {
  DynamicEntity,
  dynamicEntityCodec,
  type EntityProperty,
  holdsProperties,
  parseEntityObject,
  ticksOf,
  timestampOfEtag,
} from '@rowkey/odata'
import { afterWrite, type CallOptions, keyCheckOf } from '@rowkey/rest'
import { isUnsettled, retryConflicts, sendOnce } from '../conflicts/retry-conflicts.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption, patternsInputError } from '../errors/codes.ts'
import { anObject, aThingWith } from '../errors/rules.ts'
import { type ManyWritesOptions, manyWritesOptions } from '../options/pattern-options.ts'
import { valueText } from '../rows/value-text.ts'

const aTable = aThingWith('a table', 'execute', 'deleteIfExists')

/**
 * Moves an entity to another table: it stores a copy, and then deletes the original by the ETag of the copied version. A change of
 * the original in between is copied, too. Each step is idempotent and conditional, so a job may call it again after any failure,
 * and a worker that was paused changes nothing afterwards. After a lost response to the insert of the copy, it goes on when the insert can
 * no longer arrive, 10 s later. Between the two steps, both tables have the entity. The original is deleted for good, also when other
 * deletes of its model are soft.
 *
 * @param from - the table that has the entity
 * @param to - the table that gets it
 * @param target - its key
 * @returns false when `from` does not have it, for example because it was moved before
 * @throws InputError (`InvalidPatternOption`) when both are the same table
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
  checkArgument(aTable, from, 'from of moveEntity')
  checkArgument(aTable, to, 'to of moveEntity')
  checkArgument(anObject, target, 'The key of moveEntity')
  manyWritesOptions.check(options, 'moveEntity')
  const { origin } = to.parts
  if (from.parts.origin.account === origin.account && from.parts.origin.table === origin.table) {
    throw invalidPatternOption(`moveEntity needs two tables, and from and to are both ${to.name}.`)
  }
  // After a soft delete, the entity could be restored beside its copy, and its unique values would stay taken.
  const original = from.parts.lifetime === undefined ? from : lifetimeOf(from).all
  const reading = Operation.retrieve(target)
  let own: string | undefined
  let copy: StoredRow | undefined
  const attempt = async (atFrom: CallOptions, atTo: CallOptions, isInDoubt: boolean) => {
    // Most entities have no copy yet. It is read first: a write by its version is rejected when another worker has moved the
    // entity since.
    copy = copy === undefined ? {} : await to.execute(reading, atPrimary(atTo))
    const row: StoredRow = await from.execute(reading, atPrimary(atFrom))
    if (row.entity === undefined) return isInDoubt
    if (copy.entity === undefined) {
      // An entity that was read is a valid input.
      const inserting = Operation.insert(row.entity as never)
      // Once the entity is moved back, a late insert would store it again.
      own = (await sendOnce(to.parts.service, (once) => to.execute(inserting, once), atTo)).etag
    } else {
      const isCopy = copy.etag === own || isOlder(copy.etag, row.etag)
      if (!isCopy && !hasContentOf(to.parts, copy.entity, row.entity)) {
        throw moveConflict(to.parts, row.entity as Entity)
      }
      const { entity } = isCopy ? row : copy
      const byVersion = copy.etag === undefined ? {} : { etag: copy.etag }
      // Also an equal row: a worker that moves the entity in the other direction must not delete it as the one that it has read.
      own = (await to.execute(Operation.replace(entity as never, byVersion), atTo)).etag
    }
    return afterWrite(original.deleteIfExists(target, { ...atFrom, etag: row.etag }))
  }
  // Of two accounts, both are to wait for the whole move when they are closed with `drain`.
  const { service } = to.parts
  const whole = service.pendingCalls.ofOneCall(options)
  return service.runAsOne(whole, (atTo) => {
    const move = (atFrom: CallOptions, isInDoubt: boolean) => attempt(atFrom, atTo, isInDoubt)
    return retryConflicts(from.parts.service, move, whole, isUnsettled)
  })
}

/** A row as it was read. */
interface StoredRow {
  readonly entity?: object | undefined
  readonly etag?: string | undefined
}

/** Whether a row was written before another one; false when their ETags do not show it. */
function isOlder(etag: string | undefined, other: string | undefined): boolean {
  const [one, two] = [etag, other].map((each) => each && timestampOfEtag(each))
  return one instanceof Date && two instanceof Date && ticksOf(one) < ticksOf(two)
}

/** Whether a copy has all that another entity has, also the stored properties that their model does not declare. */
function hasContentOf<Entity extends object>(
  parts: TableParts<Entity>,
  copy: object,
  entity: object,
): boolean {
  if (contentOf(parts, copy) !== contentOf(parts, entity)) return false
  return holdsProperties(undeclaredIn(parts, copy), undeclaredIn(parts, entity))
}

/** The stored properties that the model of an entity does not declare, such as the slots of a series. */
function undeclaredIn<Entity extends object>(
  { mapping, service: { endpoint } }: TableParts<Entity>,
  entity: object,
): ReadonlyMap<string, EntityProperty> {
  const model = mapping.modelOf?.(entity)
  if (model === undefined) return new Map()
  const declared = new Set(declaredNames(model))
  const text = codecOf(model, keyCheckOf(endpoint)).write(entity)
  const { properties } = dynamicEntityCodec.read(parseEntityObject(text))
  return new Map([...properties].filter(([name]) => !declared.has(name)))
}

/** The properties of an entity as text, without what the service sets. */
function contentOf<Entity extends object>(
  { queryModel, mapping }: TableParts<Entity>,
  entity: object,
): string {
  const isDynamic = entity instanceof DynamicEntity
  const members: Readonly<Record<string, unknown>> = Object(
    isDynamic ? parseEntityObject(dynamicEntityCodec.write(entity)) : entity,
  )
  // Accessors are not among the keys.
  const names = new Set([...Object.keys(members), ...(queryModel.properties ?? [])])
  const model = mapping.modelOf?.(entity)
  const { ignored = [], etag, timestamp } = model ?? {}
  // A class that maps itself may store members that others ignore.
  const unstored = 'readEntity' in entity ? [] : ignored
  const others: readonly unknown[] = [...unstored, etag, timestamp]
  const own = [...names].filter((name) => !others.includes(name)).sort()
  return JSON.stringify(own.map((name) => [name, valueText(members[name], name, model)]))
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
