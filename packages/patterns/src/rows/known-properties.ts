import type { EntityModel } from '@rowkey/mapper'

/** Returns why index rows, sums and copies cannot show a property; `undefined` when they can. */
export function shownProblem(model: EntityModel<object>, property: string): string | undefined {
  if (!knownProperties(model).has(property)) {
    return `'${property}' is not a stored property of the model.`
  }
  return isEncrypted(model, property)
    ? `'${property}' is encrypted, and rows of the pattern would store it in the clear.`
    : undefined
}

/** Tells whether a property is stored encrypted. */
export function isEncrypted({ columns }: EntityModel<object>, name: string): boolean {
  return columns.some(({ property, encryption }) => property === name && encryption !== undefined)
}

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

/** Lists the stored names of some properties that are not keys. */
export function storedNamesOf(
  { columns }: EntityModel<object>,
  properties: readonly string[],
): readonly string[] {
  return columns.filter(({ property }) => properties.includes(property)).map(({ name }) => name)
}
