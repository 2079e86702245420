import type { PropertyProfile } from './row-profile.ts'

const MOST_VALUES = 12
const FEWEST_ROWS = 20

/**
 * Returns the values of an enum: at most 12 texts, at most the square root of the number of rows that have one, in at least 20 rows.
 *
 * @returns `undefined` for any other property
 */
export function enumValues({
  count,
  values,
  types,
}: PropertyProfile): readonly string[] | undefined {
  if (values === undefined || types.size !== 1 || count < FEWEST_ROWS) return undefined
  if (values.size > Math.min(MOST_VALUES, Math.sqrt(count))) return undefined
  return [...values.keys()].sort()
}
