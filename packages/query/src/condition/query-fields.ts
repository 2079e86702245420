import type { QueryModel } from '../query-model.ts'
import { resolveFilterColumn } from '../resolve-column.ts'
import { PropertyField } from './property-field.ts'
import type { QueryFields } from './query-field.ts'

/**
 * The properties of a model, for a callback of `.where`; each is made when it is asked for.
 *
 * @returns an object whose members throw {@link QueryError} when the model does not store them, or
 * stores them as what cannot be compared
 */
export function queryFields<Shape>(model: QueryModel): QueryFields<Shape> {
  const fields = new Proxy(
    {},
    {
      // Symbols are asked for by consoles and test runners, never by a query.
      get: (_target, property) =>
        typeof property === 'symbol'
          ? undefined
          : new PropertyField(model, resolveFilterColumn(model, property)),
    },
  )
  // Which members there are is `Shape`'s to say, and the model's at run time.
  return fields as QueryFields<Shape>
}
