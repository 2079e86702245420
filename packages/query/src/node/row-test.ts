import {
  DynamicEntity,
  EntityProperty,
  evaluateFilter,
  type FilterNode,
  type TypedValue,
} from '@rowkey/odata'
import {
  columnsByName,
  keyTemplateOf,
  type QueryColumn,
  type QueryModel,
} from '../model/query-model.ts'
import type { RowPredicate } from './query-node.ts'

/** Makes the test of rows that were read, which is true of a row when the service would say so. */
export function filterTest(model: QueryModel, filter: FilterNode): RowPredicate {
  const lookup = lookupWithKeys(model)
  return (row) => evaluateFilter(filter, (name) => lookup(row, name))
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
    const template = keyTemplateOf(model, name)
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
