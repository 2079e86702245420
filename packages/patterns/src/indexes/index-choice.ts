import type { KeyCodec } from '@rowkey/mapper'
import {
  checkEntityKey,
  conjunctsOf,
  EntityProperty,
  type FilterNode,
  type FilterUse,
  isRowkeyError,
  keyBounds,
  usesIn,
} from '@rowkey/odata'
import type { EntityIndex } from './index-entry.ts'

/** The part of an index that has all rows of a query. */
export interface IndexRange {
  readonly index: EntityIndex
  /** The partition of the query. */
  readonly partitionKey: string
  /** The beginning of the RowKeys of the entries; the whole RowKey for a unique index. */
  readonly beginning: string
}

/** Why an index is not used, as a sentence. */
type NotUsed = string

/**
 * Finds the indexes whose entries have all rows of a query, in the order of RowKey. The query must have an
 * equality on each indexed property and name one partition.
 *
 * @param filter - the condition of the query, by stored names
 * @param indexes - the indexes of its model
 * @returns the ranges, best first, and why other indexes that the query mentions do not fit
 */
export function chooseIndexes(
  filter: FilterNode,
  indexes: readonly EntityIndex[],
): { readonly ranges: readonly IndexRange[]; readonly reasons: readonly NotUsed[] } {
  const { partitionKey, rowKey } = keyBounds(filter)
  // A read by key costs less than any index.
  if (rowKey.exact !== undefined) return { ranges: [], reasons: [] }
  const uses = [...usesIn(filter)]
  const [first] = indexes
  const equal = new Map(first && [...equalitiesIn(uses, first), ...defaultsIn(filter, first)])
  if (first !== undefined && partitionKey.exact !== undefined) {
    for (const [property, value] of partsOf(first, partitionKey.exact)) equal.set(property, value)
  }
  const ranges: IndexRange[] = []
  const reasons: NotUsed[] = []
  for (const index of indexes) {
    const obstacle = obstacleOf(index, uses, equal, partitionKey.exact)
    if (obstacle !== undefined) reasons.push(...obstacle)
    else if (partitionKey.exact !== undefined) {
      const beginning = printLead(index, equal)
      if (beginning !== undefined)
        ranges.push({ index, partitionKey: partitionKey.exact, beginning })
    }
  }
  return { ranges: ranges.toSorted(bestFirst), reasons }
}

/** A unique index finds at most one row; of others, the one with more properties finds fewer. */
function bestFirst({ index: one }: IndexRange, { index: other }: IndexRange): number {
  const unique = Number(other.isUnique) - Number(one.isUnique)
  return unique || leadOf(other).properties.length - leadOf(one).properties.length
}

/** Why an index does not fit; empty when the query does not mention its properties. */
function obstacleOf(
  index: EntityIndex,
  uses: readonly FilterUse[],
  equal: ReadonlyMap<string, unknown>,
  partitionKey: string | undefined,
): readonly NotUsed[] | undefined {
  const { name } = index
  const { properties, isOrdered } = leadOf(index)
  const names = properties.map((property) => storedName(index, property))
  if (!uses.some(({ test }) => test && names.includes(test.property))) return []
  const because = (reason: string) => [`Index ${name} is not used: ${reason}`]
  if (index.definition.automatic === false) return because('its automatic is false.')
  if (!isOrdered) return because('its key does not end as the RowKey does, so its order differs.')
  if (index.definition.where !== undefined) return because('its where leaves rows out.')
  if (mayDiffer(index))
    return because(
      'rows of another version may have other values. Declare sameSince if they have not.',
    )
  const wanted = properties.find((each) => !equal.has(each))
  if (wanted !== undefined) {
    const missing = storedName(index, wanted)
    const use = uses.find(({ test }) => test?.property === missing)
    if (use?.under === 'or' || use?.under === 'not')
      return because(`${missing} is under an or or a not.`)
    if (use?.test?.kind === 'comparison') {
      return because(
        `a range of ${missing} would change the order of the rows. Ask for that order with indexed.query('${name}', …).`,
      )
    }
    return because(`the query has no equality on ${missing}.`)
  }
  if (partitionKey === undefined) return because('the query does not name one partition.')
  return isConverted(index, properties) ? because('a converter changes its values.') : undefined
}

/** The first parts of the key of an index: all but those of the RowKey of its rows. */
interface IndexLead {
  readonly segments: KeyCodec['segments']
  readonly properties: readonly string[]
  /** Whether entries with equal values are in the order of RowKey. */
  readonly isOrdered: boolean
}

function leadOf({ isUnique, rowKey, model }: EntityIndex): IndexLead {
  const { segments } = rowKey
  if (isUnique) return { segments, properties: rowKey.properties, isOrdered: true }
  const tail = model.rowKey.segments.slice(typeof model.rowKey.segments[0] === 'string' ? 1 : 0)
  const lead = segments.slice(0, segments.length - tail.length)
  const own = segments.slice(lead.length)
  return {
    segments: lead,
    properties: propertiesIn(lead),
    isOrdered: tail.every((segment, at) => textOf(segment) === textOf(own[at])),
  }
}

function propertiesIn(segments: KeyCodec['segments']): readonly string[] {
  return segments.flatMap((each) => (typeof each === 'string' ? [] : [each.property]))
}

function textOf(segment: KeyCodec['segments'][number] | undefined): string {
  return typeof segment === 'object' ? `{${segment.text}}` : (segment ?? '')
}

/** Whether a row of another version may have other values as it is stored, which the filter compares, than this version reads. */
function mayDiffer({ model, definition: { sameSince } }: EntityIndex): boolean {
  const { version } = model
  if (version?.previous === undefined && version?.next === undefined) return false
  let first = version.number
  for (let each = version.previous; each !== undefined; each = each.version?.previous) first--
  return sameSince === undefined || sameSince > first
}

function storedName({ model }: EntityIndex, property: string): string {
  return model.columns.find((each) => each.property === property)?.name ?? property
}

function isConverted({ model }: EntityIndex, properties: readonly string[]): boolean {
  return model.columns.some(
    ({ property, converter }) => converter !== undefined && properties.includes(property),
  )
}

/** Prints the beginning of the entries; `undefined` when no key can hold the values, and so no entry has them. */
function printLead(index: EntityIndex, equal: ReadonlyMap<string, unknown>): string | undefined {
  try {
    const texts = leadOf(index).segments.map((segment) =>
      typeof segment === 'string' ? segment : segment.print(equal.get(segment.property)),
    )
    const rowKey = texts.join('')
    checkEntityKey({ partitionKey: '', rowKey })
    return rowKey
  } catch (error) {
    if (isRowkeyError(error)) return undefined
    throw error
  }
}

/** The values that a PartitionKey is made of. */
function partsOf({ model }: EntityIndex, partitionKey: string): readonly [string, unknown][] {
  try {
    return Object.entries(model.partitionKey.parse(partitionKey))
  } catch (error) {
    if (isRowkeyError(error)) return [] // No row of the model is in this partition.
    throw error
  }
}

/** The equalities that every row of a filter meets. A property may be stored under the name of a part of the keys. */
function* equalitiesIn(
  uses: readonly FilterUse[],
  { model }: EntityIndex,
): Generator<[property: string, value: unknown]> {
  for (const { test, under } of uses) {
    if (test?.kind !== 'comparison' || test.operator !== 'eq' || under !== undefined) continue
    const column = model.columns.find(({ name }) => name === test.property)
    if (column !== undefined) yield [column.property, test.literal.value]
  }
}

/** The defaults that a filter selects: `not (state ne 'open')`. Entries have what reads show. */
function* defaultsIn(
  filter: FilterNode,
  { model }: EntityIndex,
): Generator<[property: string, value: unknown]> {
  for (const each of conjunctsOf(filter)) {
    const test = each.kind === 'not' ? each.operand : undefined
    if (test?.kind !== 'comparison' || test.operator !== 'ne') continue
    const { value, type } = test.literal
    const column = model.columns.find(({ name }) => name === test.property)
    const shown = column && model.schema?.schema.defaultOf(column.property)
    if (column === undefined || shown === undefined) continue
    const stored = EntityProperty.of(shown, column.type, column.name)
    if (stored.equals(EntityProperty.of(value, type))) yield [column.property, value]
  }
}
