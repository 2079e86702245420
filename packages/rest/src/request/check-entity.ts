import {
  annotationName,
  type EntityKey,
  isRawEntity,
  parseEntityJson,
  propertyNamesOf,
  type RawEntity,
} from '@rowkey/odata'
import { isChecked } from '../endpoint/checks.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { restInputError } from '../errors/codes.ts'
import { entityName } from './resource.ts'

/** The entity of a write: its address, and its JSON text. */
interface CheckedEntity {
  readonly table: string
  readonly key: EntityKey
  readonly body: string
}

const MOST_PROPERTIES = 252
const LARGEST_VALUE = 64 * 1024
const LARGEST_ENTITY = 1024 * 1024
const LARGEST_COSMOS_ENTITY = 2 * 1024 * 1024

/** A shorter body cannot contain 253 properties: each takes six characters, as in `"a":1,`. */
const SHORTEST_COUNTED = 6 * (MOST_PROPERTIES + 1)
/** A shorter body cannot contain a value that is too large. */
const SHORTEST_WEIGHED = LARGEST_VALUE / 2
/** The end of a name that gives the type of another property. */
const TYPE_ANNOTATION = '@odata.type'
/** No JSON stands for more bytes per character; `"a":1,` comes closest. */
const MOST_BYTES_PER_CHARACTER = 3

/**
 * Rejects an entity that is too large for the service: too many properties, a property that is too
 * large, or all of them together. For a merge it checks what is sent, not what is already stored. On
 * Cosmos DB it rejects the property names that are reserved there, too.
 *
 * @param write - the write
 * @param endpoint - the account
 * @throws `InputError` (`TooManyProperties`, `EntityTooLarge` or `ReservedPropertyName`)
 * @see https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 */
export function checkEntity(write: CheckedEntity, endpoint: Endpoint): void {
  const { body } = write
  if (endpoint.flavour === 'cosmos' && isChecked(endpoint, 'propertyNames')) checkNames(write)
  // Most entities are too short to break any limit, whatever they contain.
  if (!(body?.length >= SHORTEST_COUNTED) || !isSuspect(body, endpoint)) return
  const raw = parse(body)
  if (raw === undefined) return
  const properties = propertySizes(raw)
  if (isChecked(endpoint, 'propertyCount')) checkCount(write, properties.length)
  if (isChecked(endpoint, 'propertySizes')) {
    for (const property of properties) checkValue(write, property)
  }
  if (isChecked(endpoint, 'entitySize')) checkSize(write, properties, endpoint)
}

/** The property names that Cosmos DB uses itself. */
const RESERVED: readonly string[] = ['id', 'ID', 'rid', 'ResourceId']
/** Matches every body with a reserved name, and some bodies with this text in a value. */
const MAY_BE_RESERVED = /"(?:id|ID|rid|ResourceId)"\s*:/

function checkNames(write: CheckedEntity): void {
  if (!MAY_BE_RESERVED.test(write.body)) return
  const names = propertyNamesOf(parse(write.body) ?? {})
  const reserved = names.find((name) => RESERVED.includes(name))
  if (reserved === undefined) return
  throw restInputError({
    code: 'ReservedPropertyName',
    message: `${entityName(write)} has a property ${reserved}, but Cosmos DB reserves the names ${RESERVED.join(', ')}. Store it under another name, for example with @StoreAs.`,
    details: { property: reserved },
  })
}

function isSuspect(body: string, endpoint: Endpoint): boolean {
  if (body.length > SHORTEST_WEIGHED && isChecked(endpoint, 'propertySizes')) return true
  const most = body.length * MOST_BYTES_PER_CHARACTER
  if (most > largestEntity(endpoint) && isChecked(endpoint, 'entitySize')) return true
  return isChecked(endpoint, 'propertyCount') && mayHaveTooMany(body)
}

/** Counts `":`, which ends every name and may occur in values: there are at most as many names. */
function mayHaveTooMany(body: string): boolean {
  let found = 0
  for (let at = body.indexOf('":'); at >= 0; at = body.indexOf('":', at + 2)) {
    if (body.endsWith(TYPE_ANNOTATION, at)) continue
    if (++found > MOST_PROPERTIES) return true
  }
  return false
}

/** A body that is not JSON has no properties to count; the service rejects it. */
function parse(body: string): RawEntity | undefined {
  try {
    const json = parseEntityJson(body)
    return isRawEntity(json) ? json : undefined
  } catch {
    return undefined
  }
}

function checkCount(write: CheckedEntity, count: number): void {
  if (count <= MOST_PROPERTIES) return
  throw restInputError({
    code: 'TooManyProperties',
    message: `${entityName(write)} has ${count} properties, but at most ${MOST_PROPERTIES} are allowed besides PartitionKey, RowKey and Timestamp. Move some to another entity, or store several in one as JSON text.`,
    details: { count, limit: MOST_PROPERTIES },
  })
}

function checkValue(write: CheckedEntity, { name, size }: PropertySize): void {
  const bytes = size - LENGTH_BYTES
  if (bytes <= LARGEST_VALUE) return
  throw restInputError({
    code: 'EntityTooLarge',
    message: `${name} of ${entityName(write)} has ${bytes} bytes, but at most ${LARGEST_VALUE} are allowed (32,768 UTF-16 units of a String). Spread it over several properties, or compress it.`,
    details: { property: name, count: bytes, limit: LARGEST_VALUE },
  })
}

function checkSize(
  write: CheckedEntity,
  properties: readonly PropertySize[],
  endpoint: Endpoint,
): void {
  const { partitionKey, rowKey } = write.key
  const size = entitySize(partitionKey.length + rowKey.length, properties)
  const limit = largestEntity(endpoint)
  if (size <= limit) return
  const largest = properties.reduce((a, b) => (b.size > a.size ? b : a))
  throw restInputError({
    code: 'EntityTooLarge',
    message: `${entityName(write)} has ${size} bytes as the service counts, but at most ${limit} are allowed; its largest property is ${largest.name} with ${largest.size}. Spread it over several entities, or keep large values in a blob.`,
    details: { property: largest.name, count: size, limit },
  })
}

function largestEntity({ flavour }: Endpoint): number {
  return flavour === 'cosmos' ? LARGEST_COSMOS_ENTITY : LARGEST_ENTITY
}

/** A property to store, and the size of its value in bytes as the service counts. */
export interface PropertySize {
  /** The stored name. */
  readonly name: string
  /** Bytes of the value, without those of the name. */
  readonly size: number
}

const LARGEST_INT32 = 2 ** 31
/** The bytes that a String or a Binary needs besides its content: its length. */
export const LENGTH_BYTES = 4

/**
 * Lists the properties that a body would store, besides the key and the Timestamp. A null is not
 * stored.
 *
 * @param raw - the body, parsed
 *
 * @example
 * ```ts
 * propertySizes({ PartitionKey: 'Smith', RowKey: 'Jeff', city: 'Bonn' }) // [{ name: 'city', size: 12 }]
 * ```
 */
export function propertySizes(raw: RawEntity): PropertySize[] {
  return propertyNamesOf(raw).map((name) => ({
    name,
    size: sizeOf(raw[name], raw[annotationName(name)]),
  }))
}

/**
 * Computes the size of an entity in bytes as the service counts.
 *
 * @param keyUnits - the UTF-16 units of PartitionKey and RowKey together
 * @param properties - its other properties
 * @see https://learn.microsoft.com/archive/blogs/windowsazurestorage/understanding-windows-azure-storage-billing-bandwidth-transactions-and-capacity
 *
 * @example
 * ```ts
 * entitySize(9, propertySizes({ PartitionKey: 'Smith', RowKey: 'Jeff', city: 'Bonn' })) // 50
 * ```
 */
export function entitySize(keyUnits: number, properties: readonly PropertySize[]): number {
  let size = 4 + 2 * keyUnits
  for (const property of properties) size += 8 + 2 * property.name.length + property.size
  return size
}

function sizeOf(value: unknown, type: unknown): number {
  switch (type) {
    case 'Edm.Binary':
      return LENGTH_BYTES + bytesIn(value)
    case 'Edm.Guid':
      return 16
    case 'Edm.Int64':
    case 'Edm.DateTime':
    case 'Edm.Double':
      return 8
  }
  if (typeof value === 'string') return LENGTH_BYTES + 2 * value.length
  if (typeof value === 'boolean') return 1
  const isInt32 =
    Number.isInteger(value) && Math.abs(value as number) <= LARGEST_INT32 && value !== LARGEST_INT32
  return isInt32 ? 4 : 8
}

/** Computes how many bytes a base64 text stands for. */
function bytesIn(base64: unknown): number {
  if (typeof base64 !== 'string') return 0
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor((base64.length * 3) / 4) - padding
}
