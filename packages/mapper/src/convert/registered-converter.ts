import type { Converter } from './converter.ts'

/** A class of values, and the converter of all of them. */
export type RegisteredConverter<Value extends object = object> = readonly [
  valueClass: abstract new (...args: never[]) => Value,
  converter: Converter<Value>,
]

/**
 * The converter that is registered for a member's values, as far as its declaration tells them.
 *
 * @param converters - the registered ones
 * @param initial - what the member of a fresh instance holds
 * @param designType - the class it is declared as, where the compiler recorded that
 */
export function registeredConverter(
  converters: readonly RegisteredConverter[],
  initial: unknown,
  designType: unknown,
): Converter | undefined {
  const found = converters.find(
    ([valueClass]) => valueClass === designType || initial instanceof valueClass,
  )
  return found?.[1]
}
