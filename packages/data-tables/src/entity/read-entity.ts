import { type EntityProperty, propertyNamesOf, type RawEntity, readProperty } from '@rowkey/odata'
import { rememberStored, SYSTEM_NAMES } from './stored-types.ts'
import type { TableEntityResult } from './table-entity.ts'

/** How a read turns stored values into the caller's. */
interface ReadOptions {
  /** Whether every value comes as `{ type, value }`, with the value as text or number. */
  readonly disableTypeConversion?: boolean
}

/** What the official client shows as the ETag, or does not show. */
const ETAG = 'odata.etag'

/**
 * Turns an entity of a response into the caller's object.
 *
 * @param raw - the entity as the service returned it
 * @param options - how values are returned
 * @param etag - the ETag header; `odata.etag` in the entity wins
 */
export function readEntity<T>(
  raw: RawEntity,
  { disableTypeConversion = false }: ReadOptions,
  etag?: string,
): TableEntityResult<T> {
  const { PartitionKey: partitionKey, RowKey: rowKey, Timestamp: timestamp } = raw
  // Not by assignment: `__proto__` is a legal property name.
  const members: [string, unknown][] = []
  for (const [name, value] of Object.entries(raw)) {
    if (!name.startsWith('odata.') || name === ETAG) continue
    members.push([name, disableTypeConversion ? { value, type: 'String' } : value])
  }
  const system = { etag: raw[ETAG] ?? etag, partitionKey, rowKey, timestamp }
  for (const member of Object.entries(system)) if (member[1] !== undefined) members.push(member)
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
  // The service shows a selected property that the row does not have as null.
  for (const [name, value] of Object.entries(raw)) if (value === null) members.push([name, null])
  const entity = Object.fromEntries(members)
  rememberStored(entity, properties)
  // The caller says what the rows of the table have.
  return entity as TableEntityResult<T>
}

function plainValue(property: EntityProperty): unknown {
  const { type, value } = property
  if (type === 'Guid') return { value, type }
  if (type === 'Binary') return bufferOf(property.as('Binary'))
  return type === 'DateTime' ? new Date(property.as('DateTime').getTime()) : value
}

/** A Buffer where there are Buffers: programs call `toString('base64')`. */
function bufferOf(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as { Buffer?: typeof globalThis.Buffer }
  return Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes
}

/** The value as text, with all its digits and its sign, as the official client returns it. */
function edmValue(raw: RawEntity, name: string, { type }: EntityProperty): unknown {
  const value = raw[name]
  return { value: Object.is(value, -0) ? '-0' : String(value), type }
}
