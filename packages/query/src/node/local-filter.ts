import {
  DynamicEntity,
  EntityProperty,
  evaluateFilter,
  type FilterNode,
  type TypedValue,
} from '@rowkey/odata'
import { conditionFilter, filterNames, type QueryMatch } from '../condition/where-condition.ts'
import { invalidQuery } from '../errors/query-errors.ts'
import {
  columnsByName,
  type KeyTemplate,
  type QueryColumn,
  type QueryModel,
} from '../model/query-model.ts'
import { type QueryNode, type RowPredicate, withChange } from './query-node.ts'

/** What can test rows once they were read: a function, or a condition as `.where` takes it. */
export type LocalCondition<Row, Shape> = ((row: Row) => boolean) | QueryMatch<Shape> | FilterNode

/**
 * Returns the query with one more test of its rows; the earlier ones hold too.
 *
 * @throws InputError with the code `InvalidQuery` for an invalid condition, and for one on a property
 * that is not read
 */
export function withLocalFilter<Row, Shape>(
  node: QueryNode,
  condition: LocalCondition<Row, Shape>,
): QueryNode {
  const { localFilter: earlier } = node
  const added =
    typeof condition === 'function'
      ? checkedPredicate(node, condition)
      : filterPredicate(node, conditionFilter<Shape>(node.model, condition))
  return withChange(node, {
    localFilter: earlier === undefined ? added : (row) => earlier(row) && added(row),
  })
}

function checkedPredicate<Row>(
  { model: { name: model } }: QueryNode,
  test: (row: Row) => boolean,
): RowPredicate {
  return (row) => {
    // The query gives rows of this type.
    const wanted: unknown = test(row as Row)
    if (typeof wanted === 'boolean') return wanted
    const given = wanted === null ? 'null' : `a value of type ${typeof wanted}`
    throw invalidQuery(
      `The function of .filterLocally on ${model} returned ${given}: it must return true or false, and cannot be async.`,
      { model },
    )
  }
}

function filterPredicate(node: QueryNode, filter: FilterNode): RowPredicate {
  const { model } = node
  if (node.resolved) {
    throw invalidQuery(
      `.filterLocally on ${model.name} comes after .resolve, whose results have no stored names. Call it before .resolve, or use a function.`,
      { model: model.name },
    )
  }
  const columns = columnsByName(model)
  for (const name of filterNames(filter)) {
    for (const source of sourcesOf(model, name)) checkRead(node, source, columns.get(source))
  }
  const lookup = lookupWithKeys(model)
  return (row) => evaluateFilter(filter, (name) => lookup(row, name))
}

/** Rejects a stored name that rows do not have: the condition would silently be false of all. */
function checkRead(
  { model: { name: model, properties }, select }: QueryNode,
  name: string,
  column: QueryColumn | undefined,
): void {
  const at = { model, property: name }
  if (column === undefined && properties !== undefined) {
    throw invalidQuery(
      `.filterLocally on ${model} uses '${name}', which no property of ${model} is stored as. Move the condition to .where, or declare the property.`,
      at,
    )
  }
  // The keys come with every row, and with them the properties that they hold.
  if (select === undefined || select.includes(name) || column?.inKey) return
  throw invalidQuery(
    `.filterLocally on ${model} uses '${name}', which .select does not read. Select it too.`,
    at,
  )
}

/** Returns the value of a row under a stored name, or `undefined`. */
export type RowLookup = (row: unknown, name: string) => TypedValue | undefined

/** The members of rows that hold the system properties, where nothing is declared. */
const SYSTEM_PROPERTIES: ReadonlyMap<string, keyof DynamicEntity> = new Map([
  ['PartitionKey', 'partitionKey'],
  ['RowKey', 'rowKey'],
  ['Timestamp', 'timestamp'],
] as const)

/**
 * Makes the lookup of a model's rows by stored names; it composes keys from the parts that rows
 * hold.
 */
export function lookupWithKeys(model: QueryModel): RowLookup {
  const lookup = rowLookup(model)
  if (model.keys === undefined) return lookup
  return (row, name) => {
    const template = templateOf(model, name)
    if (template === undefined || row instanceof DynamicEntity) return lookup(row, name)
    const texts = template.segments.map((each) =>
      typeof each === 'string' ? each : each.print(lookup(row, each.property)?.value),
    )
    return { type: 'String', value: texts.join('') }
  }
}

function rowLookup(model: QueryModel): RowLookup {
  const columns = columnsByName(model)
  return (row, name) => {
    if (row instanceof DynamicEntity && !SYSTEM_PROPERTIES.has(name)) return row.get(name)
    const column = columns.get(name)
    const property = column?.property ?? SYSTEM_PROPERTIES.get(name) ?? name
    return typedValue(memberOf(row, property), column)
  }
}

function memberOf(row: unknown, property: string): unknown {
  // Any value may be a row; a member that it lacks is undefined.
  return (row as Readonly<Record<string, unknown>> | null | undefined)?.[property]
}

function typedValue(value: unknown, column: QueryColumn | undefined): TypedValue | undefined {
  if (value === null || value === undefined) return undefined
  const stored = column?.toStored === undefined ? value : column.toStored(value)
  return EntityProperty.of(stored, column?.type, column?.name)
}

/** The stored names that hold what a name stands for: itself, or the parts of a key. */
function sourcesOf(model: QueryModel, name: string): readonly string[] {
  const template = templateOf(model, name)
  if (template === undefined) return [name]
  return template.segments.flatMap((each) => (typeof each === 'string' ? [] : [each.property]))
}

function templateOf({ keys }: QueryModel, name: string): KeyTemplate | undefined {
  if (name === 'PartitionKey') return keys?.partitionKey
  return name === 'RowKey' ? keys?.rowKey : undefined
}
