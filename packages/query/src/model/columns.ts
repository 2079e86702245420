import { invalidQuery } from '../errors/invalid-query.ts'
import type { QueryColumn, QueryModel } from './query-model.ts'

/** Every projection reads these: they tell which entity a row is, and which version of it. */
const IDENTITY = ['PartitionKey', 'RowKey', 'Timestamp'] as const

/** As many as an entity has properties; the service rejects more. */
const MAX_NAMES = 255

/**
 * Finds a property that a query names.
 *
 * @throws InputError with the code `InvalidQuery` when the model does not store the property
 */
export function resolveColumn(model: QueryModel, property: string): QueryColumn {
  const column = model.column(property)
  if (column !== undefined) return column
  const known = model.properties?.length ? ` It stores: ${model.properties.join(', ')}.` : ''
  throw invalidQuery(`${model.name} does not store a property '${property}'.${known}`, {
    model: model.name,
    property,
  })
}

/**
 * Finds a property that a condition names.
 *
 * @throws InputError with the code `InvalidQuery` when the model does not store the property, or filters
 * cannot compare it
 */
export function resolveFilterColumn(model: QueryModel, property: string): QueryColumn {
  const column = resolveColumn(model, property)
  checkFilterable(model, column)
  return column
}

/**
 * Rejects a property that filters cannot compare.
 *
 * @throws InputError with the code `InvalidQuery`
 */
export function checkFilterable({ name: model }: QueryModel, column: QueryColumn): void {
  const { property, unfilterable } = column
  if (unfilterable === undefined) return
  throw invalidQuery(`Conditions cannot use ${model}.${property}: ${unfilterable}`, {
    model,
    property,
  })
}

/** Maps the stored names of a model to its columns; empty where nothing is declared. */
export function columnsByName(model: QueryModel): ReadonlyMap<string, QueryColumn> {
  const columns = new Map<string, QueryColumn>()
  for (const property of model.properties ?? []) {
    const column = model.column(property)
    if (column !== undefined) columns.set(column.name, column)
  }
  return columns
}

/**
 * Lists the stored names that a projection must read, each once.
 *
 * @throws InputError with the code `InvalidQuery` when a property is not stored, the list is empty, there are
 * more than the service takes, or entities must be read whole
 */
export function selectNames(model: QueryModel, properties: readonly string[]): readonly string[] {
  const { name } = model
  if (properties.length === 0) {
    throw invalidQuery(
      `.select() on ${name} needs a property. Name one, or leave .select out to read all properties.`,
      { model: name },
    )
  }
  if (model.wholeOnly !== undefined) {
    throw invalidQuery(`${name} cannot be read with .select: ${model.wholeOnly}`, { model: name })
  }
  const columns = properties.map((property) => resolveColumn(model, property))
  const stored = columns
    .filter((column) => !column.inKey)
    .flatMap((column) => [column.name, ...(column.further ?? [])])
  const names = new Set([...IDENTITY, ...(model.identity ?? []), ...stored])
  if (names.size <= MAX_NAMES) return Object.freeze([...names])
  throw invalidQuery(
    `.select() on ${name} reads ${names.size} stored names, keys and Timestamp included; the service takes ${MAX_NAMES}. Leave .select out to read all properties.`,
    { model: name },
  )
}
