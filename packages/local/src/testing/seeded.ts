import { localInputError } from '../errors/codes.ts'

/**
 * Makes numbers that look random and are the same for the same seed, so that a run can be repeated:
 * for the `random` of a service and of `connect`. Of no use for secrets.
 *
 * @param seed - a whole number
 * @returns a function that gives the next number, from 0 to below 1
 * @throws InputError for a seed that is no whole number
 *
 * @example
 * ```ts
 * const local = localTableService({ random: seededRandom(42) })
 * local.faults.add({ probability: 0.1, fault: { kind: 'lost response' } })
 * ```
 */
export function seededRandom(seed: number): () => number {
  if (!Number.isSafeInteger(seed)) {
    throw localInputError({
      code: 'InvalidOptionValue',
      message: 'The seed of seededRandom must be a whole number.',
    })
  }
  let state = BigInt.asUintN(64, BigInt(seed))
  return () => {
    // SplitMix64: each state is mixed by itself, so that near seeds are as different as far ones.
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n)
    let mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n)
    mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn)
    return Number((mixed ^ (mixed >> 31n)) >> 11n) / 2 ** 53
  }
}

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
