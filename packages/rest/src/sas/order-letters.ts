import { SasError } from '../errors/sas-error.ts'

/**
 * Letters of a shared access signature in the order that services want, whatever order they were
 * given in.
 *
 * @param given - the letters, each at most once
 * @param order - every letter there is, in order
 * @param name - the option, for the message
 * @throws {@link SasError} when there is none, an unknown one, or one twice
 */
export function orderLetters(given: string, order: string, name: string): string {
  const letters = typeof given === 'string' ? [...given] : []
  const ordered = [...order].filter((letter) => letters.includes(letter))
  if (ordered.length > 0 && ordered.length === letters.length) return ordered.join('')
  throw new SasError({
    message: `${name} of a SAS must be letters out of '${order}', at least one and each once.`,
  })
}
