import { ModelError } from '../errors/model-error.ts'
import { type Converter, isConverter } from './converter.ts'

/** A class of values, and the converter of all its instances. */
export type RegisteredConverter<Value extends object = object> = readonly [
  valueClass: abstract new (...args: never[]) => Value,
  converter: Converter<Value>,
]

/**
 * Finds the converter that is registered for the values of a member.
 *
 * @param converters - the registered converters
 * @param initial - the value of the member in a fresh instance
 * @param designType - the declared class of the member, where the compiler recorded it
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

/**
 * Checks the converters that a class registers.
 *
 * @param className - the class, for the message
 * @param converters - the option of `@Entity({ converters })`
 * @throws {@link ModelError} when they are not pairs of a class and a converter
 */
export function checkConverters(className: string, converters: unknown): void {
  if (converters === undefined) return
  if (Array.isArray(converters) && converters.every(isPair)) return
  throw new ModelError({
    className,
    problem:
      'Its converters must be pairs of a class and a converter of its instances: ' +
      '@Entity({ converters: [[Decimal, decimal]] }).',
  })
}

function isPair(given: unknown): boolean {
  if (!Array.isArray(given) || given.length !== 2) return false
  return typeof given[0] === 'function' && isConverter(given[1])
}
