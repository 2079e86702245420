import type { EntityModel } from '@rowkey/mapper'

/** Returns the properties of a model that its rows hold: stored ones, and those that can be read from the keys. */
export function knownProperties({
  columns,
  partitionKey,
  rowKey,
}: EntityModel<object>): ReadonlySet<string> {
  return new Set([
    ...columns.map(({ property }) => property),
    ...partitionKey.readable,
    ...rowKey.readable,
  ])
}
