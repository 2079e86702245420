import { isRawEntity, parseEntityJson, type RawEntity } from '@rowkey/odata'
import type { Endpoint } from '../endpoint.ts'
import type { EntityWrite } from '../entity/entity-write.ts'
import { EntitySizeError } from '../errors/entity-size-error.ts'
import { PropertyCountError } from '../errors/property-count-error.ts'
import { entitySize, LENGTH_BYTES, type PropertySize, propertySizes } from './entity-size.ts'
import { isChecked } from './with-checks.ts'

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
 * @throws {@link PropertyCountError} or {@link EntitySizeError}
 * @see https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model
 */
export function checkEntity(write: EntityWrite, endpoint: Endpoint): void {
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

function checkCount(write: EntityWrite, count: number): void {
  if (count <= MOST_PROPERTIES) return
  throw new PropertyCountError({
    message: `${nameOf(write)} has ${count} properties and may have ${MOST_PROPERTIES} besides PartitionKey, RowKey and Timestamp. Put some in an entity of their own, or several in one as JSON text.`,
    count,
    limit: MOST_PROPERTIES,
  })
}

function checkValue(write: EntityWrite, { name, size }: PropertySize): void {
  const bytes = size - LENGTH_BYTES
  if (bytes <= LARGEST_VALUE) return
  throw new EntitySizeError({
    message: `${name} of ${nameOf(write)} is ${bytes} bytes and may be ${LARGEST_VALUE} (32,768 UTF-16 units of a String). Spread it over several properties, or compress it.`,
    property: name,
    size: bytes,
    limit: LARGEST_VALUE,
  })
}

function checkSize(
  write: EntityWrite,
  properties: readonly PropertySize[],
  endpoint: Endpoint,
): void {
  const { partitionKey, rowKey } = write.key
  const size = entitySize(partitionKey.length + rowKey.length, properties)
  const limit = largestEntity(endpoint)
  if (size <= limit) return
  const largest = properties.reduce((a, b) => (b.size > a.size ? b : a))
  throw new EntitySizeError({
    message: `${nameOf(write)} is ${size} bytes as the service counts and may be ${limit}; its largest property is ${largest.name} with ${largest.size}. Spread it over several entities, or keep what is large in a blob.`,
    property: largest.name,
    size,
    limit,
  })
}

function largestEntity({ flavour }: Endpoint): number {
  return flavour === 'cosmos' ? LARGEST_COSMOS_ENTITY : LARGEST_ENTITY
}

function nameOf({ table, key }: EntityWrite): string {
  return `${table}(PartitionKey='${key.partitionKey}',RowKey='${key.rowKey}')`
}
