import { DynamicEntity, EntityProperty, type TypedValue } from '@rowkey/odata'
import type { QueryColumn, QueryModel } from './query-model.ts'

/** Finds what a row holds under a stored name; `undefined` when it lacks it. */
export type RowLookup = (row: unknown, name: string) => TypedValue | undefined

/** How untyped rows call the system properties. */
const SYSTEM_PROPERTIES: ReadonlyMap<string, keyof DynamicEntity> = new Map([
  ['PartitionKey', 'partitionKey'],
  ['RowKey', 'rowKey'],
  ['Timestamp', 'timestamp'],
] as const)

/** How rows of a model are asked for what is stored under a name. */
export function rowLookup(model: QueryModel): RowLookup {
  const columns = columnsByName(model)
  return (row, name) => {
    if (row instanceof DynamicEntity && !SYSTEM_PROPERTIES.has(name)) return row.get(name)
    const column = columns.get(name)
    const property = column?.property ?? SYSTEM_PROPERTIES.get(name) ?? name
    return typedValue(memberOf(row, property), column)
  }
}

/** The columns of a model by their stored names; none where nothing is declared. */
export function columnsByName(model: QueryModel): ReadonlyMap<string, QueryColumn> {
  const columns = new Map<string, QueryColumn>()
  for (const property of model.properties ?? []) {
    const column = model.column(property)
    if (column !== undefined) columns.set(column.name, column)
  }
  return columns
}

function memberOf(row: unknown, property: string): unknown {
  // Only a member is read, and what it is gets looked at next.
  return (row as Readonly<Record<string, unknown>> | null | undefined)?.[property]
}

function typedValue(value: unknown, column: QueryColumn | undefined): TypedValue | undefined {
  if (value === null || value === undefined) return undefined
  const stored = column?.toStored === undefined ? value : column.toStored(value)
  return EntityProperty.of(stored, column?.type, column?.name)
}
