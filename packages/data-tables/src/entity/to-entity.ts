import {
  annotationName,
  DynamicEntity,
  EntityProperty,
  InputError,
  isEdmType,
  propertyNamesOf,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'

/** The Edm types, as the type of an {@link Edm} value names them. */
export type EdmTypes =
  | 'Binary'
  | 'Boolean'
  | 'DateTime'
  | 'Double'
  | 'Guid'
  | 'Int32'
  | 'Int64'
  | 'String'

/** A value with its Edm type: `{ type: 'Int64', value: '12345678901' }`. */
export interface Edm<T extends EdmTypes> {
  /** A number for Int32 and Double, a boolean for Boolean, base64 text for Binary, otherwise text. */
  value: T extends 'Boolean' ? boolean : T extends 'Double' | 'Int32' ? number : string
  /** The type. */
  type: T
}

/** An entity: its two keys and any other properties. */
export type TableEntity<T extends object = Record<string, unknown>> = T & {
  /** The PartitionKey. */
  partitionKey: string
  /** The RowKey. */
  rowKey: string
}

/** An entity as the service returned it. */
export type TableEntityResult<T> = T & {
  /** The version of the entity. */
  etag: string
  /** The PartitionKey; absent when it was not selected. */
  partitionKey?: string
  /** The RowKey; absent when it was not selected. */
  rowKey?: string
  /** The time of the last write, as text in UTC. */
  timestamp?: string
}

/**
 * The stored properties of the objects that reads returned. A plain number cannot tell a Double from an
 * Int32, and a Date has no ticks. So an update writes unchanged values as they were stored.
 */
const stored = new WeakMap<object, ReadonlyMap<string, EntityProperty>>()

const SYSTEM_NAMES: ReadonlySet<string> = new Set(['partitionKey', 'rowKey', 'etag', 'timestamp'])
const INT32_LIMIT = 2 ** 31

/**
 * Turns the caller's object into an entity to write.
 *
 * @param given - has `partitionKey` and `rowKey`; properties that are undefined or null are left out
 * @throws InputError for a missing key, and for a value that no Edm type stores
 */
export function toDynamicEntity(given: object): DynamicEntity {
  const { partitionKey, rowKey }: { partitionKey?: unknown; rowKey?: unknown } = Object(given)
  if (typeof partitionKey !== 'string' || typeof rowKey !== 'string') {
    const name = typeof partitionKey === 'string' ? 'rowKey' : 'partitionKey'
    throw new InputError({
      code: 'InvalidEntityKey',
      message: `The entity has no ${name}. Set it to a string; it may be empty.`,
    })
  }
  const entity = new DynamicEntity(partitionKey, rowKey)
  const before = stored.get(given)
  for (const [name, value] of Object.entries(given)) {
    if (SYSTEM_NAMES.has(name) || name.startsWith('odata.')) continue
    if (value === undefined || value === null) continue
    entity.set(name, toProperty(name, value, before?.get(name)))
  }
  keepHidden(entity, before)
  return entity
}

/** A stored property with a system name, which the caller's object cannot have, stays as it was read. */
function keepHidden(
  entity: DynamicEntity,
  before: ReadonlyMap<string, EntityProperty> | undefined,
): void {
  for (const [name, property] of before ?? []) {
    if (SYSTEM_NAMES.has(name)) entity.set(name, property)
  }
}

function toProperty(
  name: string,
  value: unknown,
  before: EntityProperty | undefined,
): EntityProperty {
  if (isEdmValue(value)) return EntityProperty.read(value.type, value.value, name)
  if (typeof value === 'number') return numberProperty(name, value, before)
  const property = EntityProperty.of(value, undefined, name)
  return before !== undefined && isUnchanged(before, value) ? before : property
}

/** A number stays a Double when it was one; otherwise it is an Int32 when it can be. */
function numberProperty(
  name: string,
  value: number,
  before: EntityProperty | undefined,
): EntityProperty {
  if (before?.type === 'Double') return EntityProperty.of(value, 'Double', name)
  const isInt32 =
    Number.isInteger(value) && value >= -INT32_LIMIT && value < INT32_LIMIT && !Object.is(value, -0)
  return EntityProperty.of(value, isInt32 ? 'Int32' : 'Double', name)
}

/** Only a DateTime has more digits than the value that the caller saw. */
function isUnchanged(before: EntityProperty, value: unknown): boolean {
  return (
    before.type === 'DateTime' &&
    value instanceof Date &&
    value.getTime() === before.as('DateTime').getTime()
  )
}

/** Tells whether a value names its own type. */
export function isEdmValue(
  value: unknown,
): value is { readonly type: EdmTypes; readonly value: unknown } {
  if (typeof value !== 'object' || value === null) return false
  const { type, value: inner }: { type?: unknown; value?: unknown } = value
  return inner !== undefined && isEdmType(type)
}

/** How a read turns stored values into the caller's. */
interface ReadOptions {
  /** Whether every value comes as `{ type, value }`, with the value as text or number. */
  readonly disableTypeConversion?: boolean | undefined
}

/**
 * Turns an entity of a response into the caller's object.
 *
 * @param raw - the entity as the service returned it
 * @param options - how values are returned
 * @param etag - the ETag header; `odata.etag` in the entity wins
 */
export function toEntity<T>(
  raw: RawEntity,
  { disableTypeConversion = false }: ReadOptions,
  etag?: string,
): TableEntityResult<T> {
  const { PartitionKey: partitionKey, RowKey: rowKey, Timestamp: timestamp } = raw
  const system = { etag: raw['odata.etag'] ?? etag, partitionKey, rowKey, timestamp }
  // Not by assignment: `__proto__` is a legal property name.
  const members = Object.entries<unknown>(system).filter(([, value]) => value !== undefined)
  const properties = new Map<string, EntityProperty>()
  for (const name of propertyNamesOf(raw)) {
    const property = readProperty(raw, name)
    if (property === undefined) continue
    properties.set(name, property)
    // The keys, the ETag and the time of the row win over stored properties with their names.
    if (SYSTEM_NAMES.has(name)) continue
    members.push([
      name,
      disableTypeConversion ? edmValue(raw, name, property) : plainValue(property),
    ])
  }
  const entity = Object.fromEntries(members)
  stored.set(entity, properties)
  // The caller says what the rows of the table have.
  return entity as TableEntityResult<T>
}

function plainValue(property: EntityProperty): unknown {
  const { type, value } = property
  if (type === 'Guid') return { type, value }
  return type === 'DateTime' ? new Date(property.as('DateTime').getTime()) : value
}

/** The value as the response has it: with all its digits, and as text where no annotation gave the type. */
function edmValue(raw: RawEntity, name: string, { type }: EntityProperty): unknown {
  const value = raw[name]
  return { type, value: Object.hasOwn(raw, annotationName(name)) ? value : String(value) }
}
