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

/** Fewer characters cannot hold 253 properties, of which each takes six, as in `"a":1,`. */
const SHORTEST_COUNTED = 6 * (MOST_PROPERTIES + 1)
/** Fewer characters cannot hold a value that is too large. */
const SHORTEST_WEIGHED = LARGEST_VALUE / 2
/** How a name ends that says the type of another property. */
const TYPE_ANNOTATION = '@odata.type'
/** No character of JSON stands for more bytes; `"a":1,` comes closest. */
const MOST_BYTES_PER_CHARACTER = 3

/**
 * Refuses an entity that is too large for the service: by its properties' number, by one of them, or
 * as a whole. Of a merge it sees what is sent, and not what is stored already.
 *
 * @param write - what is to be written
 * @param endpoint - the account
 * @throws {@link InputError} (`TooManyProperties` or `EntityTooLarge`)
 * @see https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 */
export function checkEntity(write: CheckedEntity, endpoint: Endpoint): void {
  const { body } = write
  // Most entities are so short that they break no limit, whatever is in them.
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

function isSuspect(body: string, endpoint: Endpoint): boolean {
  if (body.length > SHORTEST_WEIGHED && isChecked(endpoint, 'propertySizes')) return true
  const most = body.length * MOST_BYTES_PER_CHARACTER
  if (most > largestEntity(endpoint) && isChecked(endpoint, 'entitySize')) return true
  return isChecked(endpoint, 'propertyCount') && mayHaveTooMany(body)
}

/** Every name ends in `":`, and so may a part of a value; so there are at most as many names. */
function mayHaveTooMany(body: string): boolean {
  let found = 0
  for (let at = body.indexOf('":'); at >= 0; at = body.indexOf('":', at + 2)) {
    if (body.endsWith(TYPE_ANNOTATION, at)) continue
    if (++found > MOST_PROPERTIES) return true
  }
  return false
}

/** What is not JSON has no properties to count; the service says so. */
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
    message: `${nameOf(write)} has ${count} properties and may have ${MOST_PROPERTIES} besides PartitionKey, RowKey and Timestamp. Put some in an entity of their own, or several in one as JSON text.`,
    details: { count, limit: MOST_PROPERTIES },
  })
}

function checkValue(write: CheckedEntity, { name, size }: PropertySize): void {
  const bytes = size - LENGTH_BYTES
  if (bytes <= LARGEST_VALUE) return
  throw restInputError({
    code: 'EntityTooLarge',
    message: `${name} of ${nameOf(write)} is ${bytes} bytes and may be ${LARGEST_VALUE} (32,768 UTF-16 units of a String). Spread it over several properties, or compress it.`,
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
    message: `${nameOf(write)} is ${size} bytes as the service counts and may be ${limit}; its largest property is ${largest.name} with ${largest.size}. Spread it over several entities, or keep what is large in a blob.`,
    details: { property: largest.name, count: size, limit },
  })
}

function largestEntity({ flavour }: Endpoint): number {
  return flavour === 'cosmos' ? LARGEST_COSMOS_ENTITY : LARGEST_ENTITY
}

function nameOf({ table, key }: CheckedEntity): string {
  return `${table}(PartitionKey='${key.partitionKey}',RowKey='${key.rowKey}')`
}

/** A property that would be stored, and the bytes of its value as the service counts them. */
export interface PropertySize {
  readonly name: string
  readonly size: number
}

const LARGEST_INT32 = 2 ** 31
/** What a String and a Binary cost besides their content: the length of it. */
export const LENGTH_BYTES = 4

/**
 * The properties that a body would store, besides the key and the Timestamp. What is null is not
 * stored.
 *
 * @param raw - the body, parsed
 */
export function propertySizes(raw: RawEntity): PropertySize[] {
  return propertyNamesOf(raw).map((name) => ({
    name,
    size: sizeOf(raw[name], raw[annotationName(name)]),
  }))
}

/**
 * The bytes of an entity as the service counts them.
 *
 * @param keyUnits - the UTF-16 units of PartitionKey and RowKey together
 * @param properties - what it stores besides
 * @see https://learn.microsoft.com/archive/blogs/windowsazurestorage/understanding-windows-azure-storage-billing-bandwidth-transactions-and-capacity
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

/** How many bytes a base64 text stands for. */
function bytesIn(base64: unknown): number {
  if (typeof base64 !== 'string') return 0
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  return Math.floor((base64.length * 3) / 4) - padding
}
