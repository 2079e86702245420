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
  checkFilterable(model, column)
  return column
}

/**
 * Refuses a property that no filter can compare.
 *
 * @throws {@link QueryError}
 */
export function checkFilterable({ name }: QueryModel, column: QueryColumn): void {
  const { property, unfilterable } = column
  if (unfilterable === undefined) return
  throw new QueryError({
    model: name,
    property,
    message: `${name}.${property} cannot be in a condition: ${unfilterable}`,
  })
}
