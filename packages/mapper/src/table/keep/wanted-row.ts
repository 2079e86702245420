import {
  type EntityKey,
  EntityProperty,
  evaluateFilter,
  type FilterNode,
  type RawEntity,
  readProperty,
} from '@rowkey/odata'

/** What a query wants of a row that was read by its key. */
export interface WantedRow {
  /** The condition that the row meets; absent for all. */
  readonly filter?: FilterNode | undefined
  /** The stored names; all when absent. */
  readonly select?: readonly string[] | undefined
}

/**
 * Returns a row that was read by its key as a query would have: with its ETag, and without the properties that are not selected.
 *
 * @param found - the row as it is stored, and its ETag
 * @param wanted - the query
 * @param key - the key that conditions compare, when it is another than that of the row
 * @returns `undefined` when the row does not meet the condition
 *
 * @example
 * ```ts
 * const found = await perform(service, findEntity, { table: 'employees', key })
 * const row = found && wantedRow(found, { filter: parseFilter('age gt 40') })
 * ```
 */
export function wantedRow(
  { raw, etag }: { readonly raw: RawEntity; readonly etag?: string | undefined },
  { filter, select }: WantedRow,
  key?: EntityKey,
): RawEntity | undefined {
  const property = (name: string): EntityProperty | undefined => {
    if (key !== undefined && name === 'PartitionKey') return EntityProperty.string(key.partitionKey)
    if (key !== undefined && name === 'RowKey') return EntityProperty.string(key.rowKey)
    return readProperty(raw, name)
  }
  if (filter !== undefined && !evaluateFilter(filter, property)) return undefined
  const row = select === undefined ? { ...raw } : selected(raw, new Set(select))
  return etag === undefined || 'odata.etag' in row ? row : { ...row, 'odata.etag': etag }
}

/** Leaves out the properties that the query does not select. */
function selected(raw: RawEntity, names: ReadonlySet<string>): RawEntity {
  const members = Object.entries(raw).filter(([name]) => {
    const [property = ''] = name.split('@')
    return property.startsWith('odata.') || names.has(property)
  })
  return Object.fromEntries(members)
}
