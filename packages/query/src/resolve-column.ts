import { QueryError } from './errors/query-error.ts'
import type { QueryColumn, QueryModel } from './query-model.ts'

/**
 * Finds a property that a query names.
 *
 * @throws {@link QueryError} when the model does not store the property
 */
export function resolveColumn(model: QueryModel, property: string): QueryColumn {
  const column = model.column(property)
  if (column !== undefined) return column
  const known = model.properties?.length ? ` It stores: ${model.properties.join(', ')}.` : ''
  throw new QueryError({
    model: model.name,
    property,
    message: `${model.name} stores no property '${property}', so nothing can be asked about it.${known}`,
  })
}

/**
 * Finds a property that a condition names.
 *
 * @throws {@link QueryError} when the model does not store the property, or in a way that no filter
 * can compare
 */
export function resolveFilterColumn(model: QueryModel, property: string): QueryColumn {
  const column = resolveColumn(model, property)
  if (column.unfilterable === undefined) return column
  throw new QueryError({
    model: model.name,
    property,
    message: `${model.name}.${property} cannot be in a condition: ${column.unfilterable}`,
  })
}
