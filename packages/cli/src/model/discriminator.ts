import type { RowProfile } from './row-profile.ts'

/** Names of properties that often tell the type of a row. */
const USUAL_NAMES =
  /^(?:entity|row|record|doc|object)?_?(?:type|kind|class)(?:name)?$|^discriminator$/i

const MOST_TYPES = 12

/**
 * Finds the property that names the types of rows: a text that every row has, with a usual name such as `EntityType`, `kind` or
 * `discriminator`. It has 2 to 12 values, and at most the square root of the number of rows.
 *
 * @param profile - of all rows
 * @returns its name; `undefined` when the rows have one type
 */
export function discriminatorOf({ rows, properties }: RowProfile): string | undefined {
  for (const [name, { count, values, types }] of properties) {
    if (!USUAL_NAMES.test(name) || count < rows || types.size !== 1 || values === undefined)
      continue
    const isFew = values.size <= Math.min(MOST_TYPES, Math.sqrt(rows))
    if (values.size > 1 && isFew && !values.has('')) return name
  }
  return undefined
}
