import { annotationName, propertyNamesOf, type RawEntity } from '@rowkey/odata'

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
