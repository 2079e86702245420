import type { RawEntity } from '@rowkey/odata'
import type { ColumnCodec } from './column-codec.ts'

/**
 * Whether an object has no value where one is stored.
 *
 * @param columns - what the class stores
 * @param members - the object
 * @param raw - the entity as it was read
 */
export function lacksStored(
  columns: readonly ColumnCodec[],
  members: Readonly<Record<string, unknown>>,
  raw: RawEntity,
): boolean {
  return columns.some(({ property, name }) => isAbsent(members[property]) && !isAbsent(raw[name]))
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}
