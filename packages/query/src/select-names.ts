import { QueryError } from './errors/query-error.ts'
import type { QueryModel } from './query-model.ts'
import { resolveColumn } from './resolve-column.ts'

/** Read with every projection: which entity a row is, and which version of it. */
const IDENTITY = ['PartitionKey', 'RowKey', 'Timestamp'] as const

/**
 * The stored names that a projection must ask for, each once.
 *
 * @throws {@link QueryError} when a property is not stored, none is named, or entities must be read whole
 */
export function selectNames(model: QueryModel, properties: readonly string[]): readonly string[] {
  if (properties.length === 0) {
    throw new QueryError({
      model: model.name,
      message: `.select() on ${model.name} names no property. Name one, or leave .select out to read them all.`,
    })
  }
  if (model.wholeOnly !== undefined) {
    throw new QueryError({
      model: model.name,
      message: `${model.name} cannot be read with select: ${model.wholeOnly}`,
    })
  }
  const columns = properties.map((property) => resolveColumn(model, property))
  const stored = columns.filter((column) => !column.inKey).map((column) => column.name)
  return Object.freeze([...new Set([...IDENTITY, ...stored])])
}
