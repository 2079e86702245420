import { ModelError } from '../errors/model-error.ts'
import { isConverter } from './is-converter.ts'

/**
 * Checks the converters that a class registers.
 *
 * @param className - the class, for the message
 * @param converters - what `@Entity({ converters })` was given
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
