import { checkValue, rule } from '@rowkey/odata'

/**
 * Makes a random number generator that repeats for the same seed: for the `random` of a service and
 * of `connect`. Do not use it for secrets.
 *
 * @param seed - a whole number
 * @returns a function that returns the next number, from 0 to below 1
 * @throws InputError (`InvalidOptionValue`) for an invalid seed
 *
 * @example
 * ```ts
 * const local = localTableService({ random: seededRandom(42) })
 * local.faults.add({ probability: 0.1, fault: { kind: 'lost response' } })
 * ```
 */
export function seededRandom(seed: number): () => number {
  checkValue(seed, rule('a whole number', Number.isSafeInteger), 'seed', 'seededRandom')
  let state = BigInt.asUintN(64, BigInt(seed))
  return () => {
    // SplitMix64 mixes each state by itself, so that neighboring seeds differ as much as any
    // others.
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
    let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n)
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn)
    return Number((mixed ^ (mixed >> 31n)) >> 11n) / 2 ** 53
  }
}

/**
 * Makes ids that repeat for the same seed, in the form of random UUIDs. Use them as the `newId` of a
 * service and of `connect`, where a test compares whole responses.
 *
 * @param seed - a whole number
 * @returns a function that returns the next id
 * @throws InputError (`InvalidOptionValue`) for an invalid seed
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
