import {
  checkKeyText,
  checkPropertyText,
  describeKind,
  type EdmType,
  type EntityKey,
  EntityProperty,
  edmCodecs,
  InputError,
  memberText,
  writeJsonText,
  writeMember,
} from '@rowkey/odata'
import { isEdmValue } from './edm-value.ts'
import { type StoredProperties, SYSTEM_NAMES, storedOf } from './stored-types.ts'

/** An entity to write. */
export interface WrittenEntity {
  /** Its keys. */
  readonly key: EntityKey
  /** Its JSON. */
  readonly body: string
}

/**
 * Returns the keys of the caller's object.
 *
 * @throws InputError (`InvalidEntityKey`) for a missing key, and for one that no request can carry
 */
export function keyOf(given: object): EntityKey {
  const { partitionKey, rowKey }: { partitionKey?: unknown; rowKey?: unknown } = Object(given)
  if (typeof partitionKey !== 'string' || typeof rowKey !== 'string') {
    const [name, value] =
      typeof partitionKey === 'string' ? ['rowKey', rowKey] : ['partitionKey', partitionKey]
    const found = value === undefined ? '' : ` that is a string; got ${describeKind(value)}`
    throw new InputError({
      code: 'InvalidEntityKey',
      message: `The entity has no ${name}${found}. Set it to a string; it may be empty.`,
    })
  }
  const key = { partitionKey, rowKey }
  checkKeyText(key)
  return key
}

/**
 * Turns the caller's object into an entity to write.
 *
 * @param given - has `partitionKey` and `rowKey`; properties that are undefined or null are left out, and `Timestamp`,
 * which the service sets
 * @throws InputError for a missing key, and for a value that no Edm type stores
 */
export function writeEntity(given: object): WrittenEntity {
  const key = keyOf(given)
  const before = storedOf(given)
  const members = [
    `"PartitionKey":${writeJsonText(key.partitionKey)}`,
    `"RowKey":${writeJsonText(key.rowKey)}`,
  ]
  const values = new Map<string, unknown>(Object.entries(given))
  for (const [name, value] of values) {
    if (SYSTEM_NAMES.has(name) || name === 'Timestamp' || name.startsWith('odata.')) continue
    if (value === undefined || value === null || name.endsWith(ANNOTATION)) continue
    checkPropertyText(name)
    const typed = annotated(value, values.get(name + ANNOTATION))
    members.push(memberOf(name, typed, before?.get(name)))
  }
  members.push(...hiddenMembers(before))
  return { key, body: `{${members.join()}}` }
}

/** A stored property with a system name, which the caller's object cannot have, stays as it was read. */
function hiddenMembers(before: StoredProperties | undefined): string[] {
  return [...(before ?? [])]
    .filter(([name]) => SYSTEM_NAMES.has(name))
    .map(([name, { type, value }]) => written(name, type, value))
}

function memberOf(name: string, value: unknown, before: EntityProperty | undefined): string {
  if (isEdmValue(value)) return typedMember(name, value.type, value.value)
  if (typeof value === 'number') return written(name, numberType(value, before), value)
  if (before !== undefined && isUnchanged(before, value)) {
    return written(name, before.type, before.value)
  }
  if (typeof value === 'bigint') return typedMember(name, 'Int64', value)
  if (value instanceof Date && !Number.isNaN(value.getTime())) {
    return typedMember(name, 'DateTime', value)
  }
  const property = EntityProperty.of(value, undefined, name)
  return written(name, property.type, property.value)
}

/**
 * A value that does not fit its type goes to the service, which decides. It cannot decide on NaN, an invalid Date or a
 * function: their JSON is null, and the service would store nothing.
 */
function typedMember(name: string, type: EdmType, value: unknown): string {
  let property: EntityProperty
  try {
    property = EntityProperty.read(type, value, name)
  } catch {
    const json = typeof value === 'bigint' ? writeJsonText(String(value)) : JSON.stringify(value)
    if (value !== null && (json ?? 'null') === 'null') return written(name, type, value)
    return `${memberText(name).annotated(type)}${json}`
  }
  return written(name, type, property.value)
}

function written<Type extends EdmType>(name: string, type: Type, value: unknown): string {
  const codec = edmCodecs[type]
  return writeMember(memberText(name), codec, codec.accept(value, name))
}

/** A value whose type stands beside it, as in a row of the REST API: `n: '5', 'n@odata.type': 'Edm.Int64'`. */
function annotated(value: unknown, annotation: unknown): unknown {
  return typeof annotation === 'string' ? { type: annotation.slice('Edm.'.length), value } : value
}

const ANNOTATION = '@odata.type'

const INT32_LIMIT = 2 ** 31

/** A number stays a Double when it was one; otherwise it is an Int32 when it can be. */
function numberType(value: number, before: EntityProperty | undefined): 'Double' | 'Int32' {
  if (before?.type === 'Double') return 'Double'
  const isInt32 =
    Number.isInteger(value) && value >= -INT32_LIMIT && value < INT32_LIMIT && !Object.is(value, -0)
  return isInt32 ? 'Int32' : 'Double'
}

/** Only a DateTime has more digits than the value that the caller saw. */
function isUnchanged(before: EntityProperty, value: unknown): boolean {
  return (
    before.type === 'DateTime' &&
    value instanceof Date &&
    value.getTime() === before.as('DateTime').getTime()
  )
}
