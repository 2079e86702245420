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

/** The length of the keys, and the name of the ring in messages. */
export interface KeyRule {
  readonly ring: string
  readonly length: number
  /** Whether longer keys are valid, too. */
  readonly orMore: boolean
}

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
  readonly #current: string
  readonly #currentKey: Uint8Array
  readonly #keys: ReadonlyMap<string, Uint8Array>

  /**
   * @throws InputError (`InvalidKeyRing`) for invalid keys
   */
  constructor({ current, keys }: KeyRingOptions, rule: KeyRule) {
    this.#keys = readKeys(keys, rule)
    this.#current = current
    const currentKey = this.#keys.get(current)
    if (currentKey === undefined) {
      throw invalidKeyRing(
        `current of ${rule.ring} must be the id of one of the keys: ` +
          `${[...this.#keys.keys()].join(', ')}.`,
      )
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

  /** Returns the key of an id; `undefined` for an unknown id. It must not leave the package. */
  find(id: string): Uint8Array | undefined {
    return this.#keys.get(id)
  }

  /** Returns the current key. It must not leave the package. */
  get currentKey(): Uint8Array {
    return this.#currentKey
  }
}

/** Whether a text is a valid key id. */
export function isKeyId(id: string): boolean {
  return KEY_ID.test(id)
}

function readKeys(keys: unknown, rule: KeyRule): ReadonlyMap<string, Uint8Array> {
  const entries = typeof keys === 'object' && keys !== null ? Object.entries(keys) : []
  if (entries.length === 0) {
    throw invalidKeyRing(`${rule.ring} needs keys: an object of one or more keys by their ids.`)
  }
  return new Map(entries.map(([id, given]) => [checkKeyId(id, rule), readKey(id, given, rule)]))
}

function checkKeyId(id: string, { ring }: KeyRule): string {
  if (isKeyId(id)) return id
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

/** The only version of the formats. A reader rejects every other one. */
const VERSION = 1

/** The algorithms, by the second byte of the header. */
const ALGORITHMS = { 'AES-256-GCM': 1, 'HMAC-SHA-256': 2 } as const

/** The name of an algorithm. */
type Algorithm = keyof typeof ALGORITHMS

/** The header of an encrypted value or a signature. */
interface FormatHeader {
  /** The id of the key. */
  readonly keyId: string
  /** The length of the header in bytes. */
  readonly length: number
}

/**
 * Writes a header: version, algorithm, the length of the key id, and the key id, as in
 * docs/encryption.md.
 */
export function encodeHeader(algorithm: Algorithm, keyId: string): Uint8Array {
  const id = [...keyId].map((character) => character.charCodeAt(0)) // ASCII
  return Uint8Array.of(VERSION, ALGORITHMS[algorithm], id.length, ...id)
}

/**
 * Reads the header at the beginning of stored bytes.
 *
 * @returns `undefined` without a header of this version and algorithm
 */
export function decodeHeader(algorithm: Algorithm, bytes: Uint8Array): FormatHeader | undefined {
  const [version, code, size] = bytes
  if (version !== VERSION || code !== ALGORITHMS[algorithm] || size === undefined) return undefined
  const length = 3 + size
  if (bytes.length < length) return undefined
  const keyId = String.fromCharCode(...bytes.subarray(3, length))
  // The id is shown in messages, so it must be a valid id.
  return isKeyId(keyId) ? { keyId, length } : undefined
}
