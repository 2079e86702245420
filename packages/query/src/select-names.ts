import { QueryError } from './errors/query-error.ts'
import type { QueryModel } from './query-model.ts'
import { resolveColumn } from './resolve-column.ts'

/** Read with every projection: which entity a row is, and which version of it. */
const IDENTITY = ['PartitionKey', 'RowKey', 'Timestamp'] as const

/**
 * The stored names that a projection must ask for, each once.
 *
 * @throws {@link QueryError} when a property is not stored, or none is named
 */
export function selectNames(model: QueryModel, properties: readonly string[]): readonly string[] {
  if (properties.length === 0) {
    throw new QueryError({
      model: model.name,
      message: `.select() on ${model.name} names no property. Name one, or leave .select out to read them all.`,
    })
  }
  const stored = properties.map((property) => resolveColumn(model, property).name)
  return Object.freeze([...new Set([...IDENTITY, ...stored])])
}
