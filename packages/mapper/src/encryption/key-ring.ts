import { edmCodecs, type InputError } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'

/** A secret key: its bytes, or their base64 with padding. */
export type KeyBytes = Uint8Array | string

/** The options of a ring of keys. */
export interface KeyRingOptions {
  /** The id of the key that new values are written with. */
  readonly current: string
  /**
   * Every key that stored values may need, by its id: 1 to 255 printable ASCII characters, stored
   * unencrypted beside each value.
   */
  readonly keys: Readonly<Record<string, KeyBytes>>
}

/** What the keys of a ring are for. */
export interface KeyRule {
  /** The name of the ring in messages. */
  readonly ring: string
  /** The number of the algorithm, the second byte of each header. */
  readonly algorithm: number
  readonly length: number
  /** Whether longer keys are valid, too. */
  readonly orMore: boolean
}

/** An encrypted value or a signature, and its key. It must not leave the package. */
export interface Keyed {
  readonly key: Uint8Array
  readonly keyId: string
  readonly header: Uint8Array
  /** The bytes after the header. */
  readonly content: Uint8Array
}

/** Why bytes have no key. */
type NoKey =
  | { readonly failure: 'malformed' }
  | { readonly failure: 'unknownKey'; readonly keyId: string }

/** Makes the error of invalid keys, or of another invalid option of a ring. */
export function invalidKeyRing(message: string): InputError {
  return mapperInputError({ code: 'InvalidKeyRing', message })
}

/** Valid ids: they are stored in headers and shown in messages. */
const KEY_ID = /^[\x21-\x7e]{1,255}$/

/**
 * Keys by their ids, one of them current. The keys are in private fields, so no console, JSON or stack
 * shows them.
 */
export class KeyRing {
  readonly #rule: KeyRule
  readonly #keys: ReadonlyMap<string, Uint8Array>
  readonly #current: Omit<Keyed, 'content'>

  /**
   * @throws InputError (`InvalidKeyRing`) for invalid keys
   */
  constructor({ current, keys }: KeyRingOptions, rule: KeyRule) {
    this.#rule = rule
    this.#keys = readKeys(keys, rule)
    const key = this.#keys.get(current)
    if (key === undefined) {
      throw invalidKeyRing(
        `current of ${rule.ring} must be the id of one of the keys: ${this.ids.join(', ')}.`,
      )
    }
    this.#current = { key, keyId: current, header: headerOf(rule, current) }
  }

  /** The ids of all keys. */
  get ids(): readonly string[] {
    return [...this.#keys.keys()]
  }

  /** The key that new values are written with, and their header. It must not leave the package. */
  get current(): Omit<Keyed, 'content'> {
    return this.#current
  }

  /**
   * Finds the key of stored bytes by their header.
   *
   * @param least - how many bytes must follow the header
   */
  read(bytes: Uint8Array, least: number): Keyed | NoKey {
    const [version, algorithm, size] = bytes
    const isKnown = version === VERSION && algorithm === this.#rule.algorithm
    if (!isKnown || size === undefined || bytes.length < 3 + size + least) {
      return { failure: 'malformed' }
    }
    const header = bytes.subarray(0, 3 + size)
    const keyId = String.fromCharCode(...header.subarray(3))
    // The id is shown in messages, so it must be a valid id.
    if (!KEY_ID.test(keyId)) return { failure: 'malformed' }
    const key = this.#keys.get(keyId)
    if (key === undefined) return { failure: 'unknownKey', keyId }
    return { key, keyId, header, content: bytes.subarray(header.length) }
  }
}

/** The only version of the formats. A reader rejects every other one. */
const VERSION = 1

/** Makes a header: version, algorithm, the length of the key id, and the key id, as in docs/encryption.md. */
function headerOf({ algorithm }: KeyRule, keyId: string): Uint8Array {
  const id = [...keyId].map((character) => character.charCodeAt(0)) // ASCII
  return Uint8Array.of(VERSION, algorithm, id.length, ...id)
}

function readKeys(keys: unknown, rule: KeyRule): ReadonlyMap<string, Uint8Array> {
  const entries = typeof keys === 'object' && keys !== null ? Object.entries(keys) : []
  if (entries.length === 0) {
    throw invalidKeyRing(`${rule.ring} needs keys: an object of one or more keys by their ids.`)
  }
  return new Map(entries.map(([id, given]) => [checkKeyId(id, rule), readKey(id, given, rule)]))
}

function checkKeyId(id: string, { ring }: KeyRule): string {
  if (KEY_ID.test(id)) return id
  throw invalidKeyRing(
    `A key id of ${ring} must have 1 to 255 printable ASCII characters without blanks.`,
  )
}

function readKey(id: string, given: unknown, { ring, length, orMore }: KeyRule): Uint8Array {
  const bytes = keyBytes(given)
  // A copy, so that the caller can wipe the original.
  if (bytes?.length === length || (orMore && bytes && bytes.length > length))
    return new Uint8Array(bytes)
  throw invalidKeyRing(
    `Key '${id}' of ${ring} must be ${length} bytes${orMore ? ' or more' : ''}, as a Uint8Array ` +
      'or as base64 with padding; crypto.getRandomValues(new Uint8Array(32)) makes one.',
  )
}

function keyBytes(given: unknown): Uint8Array | undefined {
  if (given instanceof Uint8Array) return given
  if (typeof given !== 'string') return undefined
  try {
    return edmCodecs.Binary.readJson(given, '')
  } catch {
    return undefined // the error is not kept, because it may quote a key
  }
}
