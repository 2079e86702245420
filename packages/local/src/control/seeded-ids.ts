import { seededRandom } from './seeded-random.ts'

/**
 * Makes ids that are the same for the same seed, in the form of random UUIDs: for the `newId` of a
 * service and of `connect`, where answers are to be compared word by word.
 *
 * @param seed - a whole number
 * @returns a function that gives the next id
 * @throws InputError for a seed that is no whole number
 *
 * @example
 * ```ts
 * const local = localTableService({ newId: seededIds(42) })
 * ```
 */
export function seededIds(seed: number): () => string {
  const random = seededRandom(seed)
  const digits = (count: number): string => {
    let text = ''
    while (text.length < count) text += Math.floor(random() * 16).toString(16)
    return text
  }
  return () => {
    const variant = '89ab'.charAt(Math.floor(random() * 4))
    return `${digits(8)}-${digits(4)}-4${digits(3)}-${variant}${digits(3)}-${digits(12)}`
  }
}
