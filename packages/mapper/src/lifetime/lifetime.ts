import {
  anything,
  declareOptions,
  type EntityKey,
  invalidOption,
  type RawEntity,
} from '@rowkey/odata'
import { ModelError } from '../errors/model-error.ts'
import { memberJson, readMember, type StoredMember, storedMember } from '../member/stored-member.ts'
import { hasDiscriminator } from '../model/discriminator.ts'
import type { EntityModel } from '../model/entity-model.ts'
import type { Lifetime } from '../model/row-lifetime.ts'
import type { RowLifetime } from '../model/row-rule.ts'

/** The options of {@link lifetime}: one property, or both. */
export interface LifetimeOptions<Name extends string = string> {
  /** The property with the time when an entity expires. An entity without it never expires. */
  readonly expiresAt?: Name | undefined
  /** The property with the time of a soft delete. Deletes write it, and the row stays until it is swept. */
  readonly deletedAt?: Name | undefined
}

const lifetimeOptions = declareOptions<LifetimeOptions>({
  expiresAt: anything,
  deletedAt: anything,
})

/**
 * Hides rows that have expired or are deleted softly, for the option `lifetime` of `@Entity` and {@link
 * defineEntity}. The service itself never removes rows: run `lifetimeOf(table).sweep()` now and then.
 *
 * @param options - the properties, which are stored as DateTimes
 * @throws InputError (`InvalidOptionValue`) without a property
 *
 * @example
 * ```ts
 * @Entity({ name: 'sessions', lifetime: lifetime({ expiresAt: 'expiresOn' }) })
 * class Session {
 *   @PartitionKey() user = ''
 *   @RowKey() id = ''
 *   @DateTime() expiresOn?: Date
 * }
 * ```
 */
export function lifetime<const Name extends string>(
  options: LifetimeOptions<Name>,
): Lifetime<Name> {
  lifetimeOptions.check(options, 'lifetime')
  const { expiresAt, deletedAt } = options
  const properties = [expiresAt, deletedAt].filter((name) => name !== undefined)
  const areNames = properties.every((name) => typeof name === 'string' && name !== '')
  if (properties.length === 0 || !areNames || expiresAt === deletedAt) {
    throw invalidOption(
      "lifetime needs the name of one property, or of two: lifetime({ expiresAt: 'expiresOn', deletedAt: 'deletedOn' }).",
    )
  }
  return Object.freeze({
    properties: Object.freeze(properties),
    bind: (model: EntityModel<object>) => {
      const bound = (name: string | undefined) =>
        name === undefined ? undefined : boundMember(model, name)
      return rowLifetime(model, { expires: bound(expiresAt), deleted: bound(deletedAt) }, deletedAt)
    },
  })
}

/** A stored DateTime of a model. */
interface TimeMember extends StoredMember {
  /** `Class.member`, for messages. */
  readonly label: string
}

/** The stored properties of a model with its times. */
interface Times {
  readonly expires: TimeMember | undefined
  readonly deleted: TimeMember | undefined
}

function boundMember(
  { title, columns, signing }: EntityModel<object>,
  property: string,
): TimeMember {
  const column = columns.find((each) => each.property === property)
  const isPlain = column?.type === 'DateTime' && !column.encryption && !column.converter
  if (column !== undefined && isPlain && signing === undefined) {
    return { ...storedMember(column.name), label: `${title}.${property}` }
  }
  const problem =
    signing === undefined
      ? 'lifetime needs a property that is stored as a DateTime, without encryption or a converter. Put @DateTime() on it, or use z.date() in the schema.'
      : 'lifetime cannot be used with signing: queries read its properties without the rest of the entity, and cannot verify them.'
  throw new ModelError({ className: title, property, problem })
}

function rowLifetime(
  model: EntityModel<object>,
  { expires, deleted }: Times,
  deletedAt: string | undefined,
): RowLifetime {
  const members = [expires, deleted].filter((member) => member !== undefined)
  return Object.freeze<RowLifetime>({
    names: members.map(({ name }) => name),
    filter(now, flavour) {
      // On Cosmos DB `not` does not select rows that lack a property.
      if (flavour === 'cosmos') return undefined
      return [
        ...(expires ? [`not (${isTime(expires)} and ${expires.name} le ${literal(now)})`] : []),
        ...(deleted ? [`not (${isTime(deleted)})`] : []),
      ].join(' and ')
    },
    hides: (raw, now) => isUntil(expires, raw, now) || timeOf(deleted, raw) !== undefined,
    missing:
      'has expired or is deleted. Read it with lifetimeOf(table).all, as long as it is not swept.',
    keeps(raw, now) {
      // The times of another type mean something else.
      if (!hasDiscriminator(raw, model.discriminator)) return OTHER_TYPE
      return isUntil(expires, raw, now) ? undefined : RESTORABLE
    },
    deletedAt,
    isDue: (raw, until) =>
      members.some((member) => isUntil(member, raw, until)) && isOfModel(raw, model),
    dueFilter: (until) => members.map(({ name }) => `(${name} le ${literal(until)})`).join(' or '),
    ...(deleted && { deletion: (key: EntityKey, now: number) => deletionOf(deleted, key, now) }),
  })
}

const OTHER_TYPE = 'is a row of another type. Choose another key.'

const RESTORABLE =
  'is deleted, but not swept yet, and can be restored. Use lifetimeOf(table).restore or erase, or insertOrReplace.'

/** A value of another type counts as less than any time, so `le` alone would find it. */
function isTime({ name }: TimeMember): string {
  return `${name} ge datetime'1601-01-01T00:00:00Z'`
}

function isUntil(member: TimeMember | undefined, raw: RawEntity, until: number): boolean {
  const time = timeOf(member, raw)
  return time !== undefined && time <= until
}

/** A property of another type, which another program may have written, is not a time. */
function timeOf(member: TimeMember | undefined, raw: RawEntity): number | undefined {
  const stored = member && readMember(member, raw, member.label)
  return stored?.value instanceof Date ? stored.value.getTime() : undefined
}

/** Rows of other models in the same table may have a property of the same name. */
function isOfModel(raw: RawEntity, { partitionKey, rowKey }: EntityModel<object>): boolean {
  try {
    partitionKey.parse(String(raw.PartitionKey))
    rowKey.parse(String(raw.RowKey))
    return true
  } catch {
    return false
  }
}

function literal(time: number): string {
  return `datetime'${new Date(time).toISOString()}'`
}

function deletionOf(deleted: TimeMember, key: EntityKey, now: number): string {
  const { partitionKey: PartitionKey, rowKey: RowKey } = key
  const head = JSON.stringify({ PartitionKey, RowKey }).slice(0, -1)
  return `${head}${memberJson(deleted.member, 'DateTime', new Date(now))}}`
}
