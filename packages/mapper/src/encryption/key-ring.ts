import { edmCodecs } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'

/** A secret key: its bytes, or their base64 with padding. */
export type KeyBytes = Uint8Array | string

/** What a ring of keys is made from. */
export interface KeyRingOptions {
  /** The id of the key that new values are written with. */
  readonly current: string
  /**
   * Every key that stored values may have been written with, by its id: 1 to 255 printable ASCII
   * characters, stored in the clear beside each value.
   */
  readonly keys: Readonly<Record<string, KeyBytes>>
}

/** How many bytes a key has, and what messages call the ring. */
export interface KeyRule {
  readonly ring: string
  readonly length: number
  /** Longer keys are fine too. */
  readonly orMore: boolean
}

/** What an id may hold: it stands in a header and in messages. */
const KEY_ID = /^[\x21-\x7e]{1,255}$/

/**
 * Keys by their ids, one of which is the current one. The keys lie in private fields: no console, JSON
 * or stack shows them.
 */
export class KeyRing {
  readonly #current: string
  readonly #currentKey: Uint8Array
  readonly #keys: ReadonlyMap<string, Uint8Array>

  /** @throws InputError (`InvalidKeyRing`) when the keys cannot be used */
  constructor({ current, keys }: KeyRingOptions, rule: KeyRule) {
    this.#keys = readKeys(keys, rule)
    this.#current = current
    const currentKey = this.#keys.get(current)
    if (currentKey === undefined) {
      throw mapperInputError({
        code: 'InvalidKeyRing',
        message:
          `${rule.ring}: no key has the id given as current. Give the id of one of the keys: ` +
          `${[...this.#keys.keys()].join(', ')}.`,
      })
    }
    this.#currentKey = currentKey
  }

  /** The id of the key that new values are written with. */
  get current(): string {
    return this.#current
  }

  /** The ids of all keys. */
  get ids(): readonly string[] {
    return [...this.#keys.keys()]
  }

  /** The key of an id; `undefined` when there is none. It must not get out of the package. */
  find(id: string): Uint8Array | undefined {
    return this.#keys.get(id)
  }

  /** The current key. It must not get out of the package. */
  get currentKey(): Uint8Array {
    return this.#currentKey
  }
}

/** Whether a text is a key id that a header can hold. */
export function isKeyId(id: string): boolean {
  return KEY_ID.test(id)
}

function readKeys(keys: unknown, rule: KeyRule): ReadonlyMap<string, Uint8Array> {
  const entries = typeof keys === 'object' && keys !== null ? Object.entries(keys) : []
  if (entries.length === 0) {
    throw mapperInputError({
      code: 'InvalidKeyRing',
      message: `${rule.ring} needs keys: an object of one or more keys by their ids.`,
    })
  }
  return new Map(entries.map(([id, given]) => [checkKeyId(id, rule), readKey(id, given, rule)]))
}

function checkKeyId(id: string, { ring }: KeyRule): string {
  if (isKeyId(id)) return id
  throw mapperInputError({
    code: 'InvalidKeyRing',
    message: `${ring}: a key id has 1 to 255 printable ASCII characters and no blanks.`,
  })
}

function readKey(id: string, given: unknown, { ring, length, orMore }: KeyRule): Uint8Array {
  const bytes = keyBytes(given)
  // A copy, so that the caller can wipe what was given.
  if (bytes?.length === length || (orMore && bytes && bytes.length > length))
    return new Uint8Array(bytes)
  throw mapperInputError({
    code: 'InvalidKeyRing',
    message:
      `${ring}: key '${id}' must be ${length} bytes${orMore ? ' or more' : ''}, as a Uint8Array ` +
      'or as base64 with padding; crypto.getRandomValues(new Uint8Array(32)) makes one.',
  })
}

function keyBytes(given: unknown): Uint8Array | undefined {
  if (given instanceof Uint8Array) return given
  if (typeof given !== 'string') return undefined
  try {
    return edmCodecs.Binary.readJson(given, '')
  } catch {
    return undefined // not kept as a cause: it is about a key
  }
}

/** One of the words that an option of a ring knows; the first of them when it is left out. */
export function readChoice<Word extends string>(
  given: unknown,
  words: readonly [Word, ...Word[]],
  option: string,
): Word {
  const word = given === undefined ? words[0] : words.find((each) => each === given)
  if (word !== undefined) return word
  throw mapperInputError({
    code: 'InvalidKeyRing',
    message: `${option} is one of '${words.join("', '")}'.`,
  })
}
