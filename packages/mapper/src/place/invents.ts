import type { StandardSchema } from '../standard-schema/standard-schema.ts'
import type { InnerShape } from './place.ts'
import { isSameJson, isSameValue } from './same-value.ts'

/** What a place gives out for a missing value. */
type Default = Required<Pick<InnerShape, 'initial' | 'invents'>>

/**
 * Returns a default, and whether it is another value each time: a new id, or the time. zod does not tell a function from a value, so
 * the values are compared. A function that always returns the same value is a default like any other.
 *
 * @param make - returns the default
 */
export function defaultOf(make: () => unknown): Default {
  return { initial: make, invents: inventing(make, isSameJson) }
}

/** Returns the same of what a schema makes of a missing value, which it may convert to an equal one each time. */
export function outputOfMissing(schema: StandardSchema): Default {
  const make = () => {
    const result = schema['~standard'].validate(undefined)
    return 'value' in result ? result.value : undefined
  }
  return { initial: make, invents: inventing(make, isSameValue) }
}

function inventing(
  make: () => unknown,
  isSame: (one: unknown, other: unknown) => boolean,
): () => boolean {
  let isInvented = false
  let first: { readonly value: unknown } | undefined
  return () => {
    if (isInvented) return true
    try {
      // Two calls in one millisecond may return the same time, but not two reads.
      first ??= { value: make() }
      isInvented = !isSame(first.value, make())
    } catch {
      isInvented = true
    }
    return isInvented
  }
}
