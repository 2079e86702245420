/** The names of properties in the official client, and on the wire. */
const WIRE_NAMES: ReadonlyMap<string, string> = new Map([
  ['partitionKey', 'PartitionKey'],
  ['rowKey', 'RowKey'],
  ['timestamp', 'Timestamp'],
])

/** Every response has these. */
const NEVER_SELECTED: ReadonlySet<string> = new Set(['etag', 'odata.etag'])

/**
 * Returns the names of a selection as the service knows them.
 *
 * @param select - the caller's names; all properties when absent
 */
export function wireNames(select: readonly string[] | undefined): readonly string[] | undefined {
  return select
    ?.filter((name) => !NEVER_SELECTED.has(name))
    .map((name) => WIRE_NAMES.get(name) ?? name)
}
