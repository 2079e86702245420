import type { Converter } from '../convert/converter.ts'
import { ModelError } from '../errors/model-error.ts'
import type { Place } from '../place/place.ts'
import { refusalOf } from '../place/refusal-of.ts'
import { formOf } from '../place/value-form.ts'

/**
 * Checks that the values of a property can be read back as they were written.
 *
 * @param title - the name of the model
 * @param property - the property
 * @param place - its place in the schema
 * @param own - the converter of the caller, which can store any value
 * @throws {@link ModelError} naming the place
 */
export function checkStorable(
  title: string,
  property: string,
  place: Place,
  own: Converter | undefined,
): void {
  const refusal = refusalOf(place, own === undefined && formOf(place).isJson)
  if (refusal === undefined) return
  const { path, problem } = refusal
  throw new ModelError({
    className: title,
    property: path === '' ? property : `${property}.${path}`,
    problem,
  })
}
