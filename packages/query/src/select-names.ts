import { QueryError } from './errors/query-error.ts'
import type { QueryModel } from './query-model.ts'
import { resolveColumn } from './resolve-column.ts'

/** Read with every projection: which entity a row is, and which version of it. */
const IDENTITY = ['PartitionKey', 'RowKey', 'Timestamp'] as const

/** As many as an entity has properties; the service refuses more. */
const MAX_NAMES = 255

/**
 * The stored names that a projection must ask for, each once.
 *
 * @throws {@link QueryError} when a property is not stored, none is named, there are more
 * than the service takes, or entities must be read whole
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
  const stored = columns
    .filter((column) => !column.inKey)
    .flatMap(({ name, further = [] }) => [name, ...further])
  const names = new Set([...IDENTITY, ...(model.identity ?? []), ...stored])
  if (names.size > MAX_NAMES) throw tooManyNames(model, names.size)
  return Object.freeze([...names])
}

function tooManyNames({ name }: QueryModel, count: number): QueryError {
  const message = `.select() on ${name} comes to ${count} names with the keys and Timestamp, and the service takes ${MAX_NAMES}. Leave .select out to read them all.`
  return new QueryError({ model: name, message })
}
