import { checkOptions } from '@rowkey/rest'
import { decryptGcm, encryptGcm } from '../crypto/algorithms.ts'
import { mapperInputError } from '../errors/codes.ts'
import { decodeHeader, encodeHeader } from './format-header.ts'
import { joinBytes } from './join-bytes.ts'
import { KeyRing, type KeyRingOptions, type KeyRule, readChoice } from './key-ring.ts'

/** What {@link encryptionKeys} takes. */
export interface EncryptionKeysOptions extends KeyRingOptions {
  /**
   * What becomes of a stored value that is not encrypted: `'refuse'`, or `'read'` while a table that
   * was never encrypted is being encrypted: replacing such an entity encrypts it.
   * With `'read'` nobody notices that someone put a value of their own in the place of an encrypted
   * one.
   *
   * @defaultValue `'refuse'`
   */
  readonly plaintext?: 'refuse' | 'read' | undefined
  /**
   * Where nonces come from: that many random bytes, never the same twice. Only for tests.
   *
   * @defaultValue `crypto.getRandomValues`
   */
  readonly random?: ((size: number) => Uint8Array) | undefined
}

/** Why a stored value is rejected: see the explanations in `value-seal.ts`. */
export type DecryptionFailure = 'plaintext' | 'malformed' | 'unknownKey' | 'tampered'

/** What opening a sealed value gives: the plaintext, or why there is none. */
export type Opened =
  | { readonly plaintext: Uint8Array; readonly keyId: string }
  | { readonly failure: DecryptionFailure; readonly keyId?: string }

const RULE: KeyRule = { ring: 'encryptionKeys', length: 32, orMore: false }
const OPTION_NAMES = ['current', 'keys', 'plaintext', 'random'] as const
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The keys of encrypted properties: a ring, of which one key is the current one. From
 * {@link encryptionKeys}.
 *
 * Nothing shows the keys: not a console, not JSON, not the message or stack of an error.
 */
export class EncryptionKeys {
  readonly #ring: KeyRing
  readonly #header: Uint8Array
  readonly #random: (size: number) => Uint8Array
  /** Stored values that are not encrypted are read. */
  readonly readsPlaintext: boolean

  /** @throws InputError (`InvalidKeyRing`) when the keys cannot be used */
  constructor({ plaintext, random, ...ring }: EncryptionKeysOptions) {
    this.#ring = new KeyRing(ring, RULE)
    this.#header = encodeHeader('AES-256-GCM', this.#ring.current)
    this.#random = checkRandom(random ?? randomBytes)
    const plaintextRule = readChoice(plaintext, ['refuse', 'read'], 'encryptionKeys: plaintext')
    this.readsPlaintext = plaintextRule === 'read'
  }

  /** The id of the key that new values are encrypted with. */
  get current(): string {
    return this.#ring.current
  }

  /** The ids of all keys. */
  get ids(): readonly string[] {
    return this.#ring.ids
  }

  /**
   * Encrypts under the current key and a fresh nonce.
   *
   * @param plaintext - any bytes
   * @param place - what must be the same when it is opened
   * @internal
   */
  seal(plaintext: Uint8Array, place: Uint8Array): Uint8Array {
    const nonce = checkNonce(this.#random(NONCE_BYTES))
    const context = joinBytes(this.#header, place)
    const sealed = encryptGcm({ key: this.#ring.currentKey, nonce, context }, plaintext)
    return joinBytes(this.#header, nonce, sealed)
  }

  /**
   * Opens what {@link EncryptionKeys.seal} made, under whichever key of the ring.
   *
   * @param sealed - any bytes
   * @param place - as it was given to `seal`
   * @internal
   */
  open(sealed: Uint8Array, place: Uint8Array): Opened {
    const header = decodeHeader('AES-256-GCM', sealed)
    if (header === undefined || sealed.length < header.length + NONCE_BYTES + TAG_BYTES) {
      return { failure: 'malformed' }
    }
    const { keyId, length } = header
    const key = this.#ring.find(keyId)
    if (key === undefined) return { failure: 'unknownKey', keyId }
    const nonce = sealed.subarray(length, length + NONCE_BYTES)
    const context = joinBytes(sealed.subarray(0, length), place)
    const ciphertext = sealed.subarray(length + NONCE_BYTES)
    const plaintext = decryptGcm({ key, nonce, context }, ciphertext)
    return plaintext === undefined ? { failure: 'tampered', keyId } : { plaintext, keyId }
  }
}

/**
 * Makes the ring of keys for `Encrypted` properties. Values are encrypted with AES-256-GCM;
 * docs/encryption.md says the stored format byte by byte, and how keys are rotated.
 *
 * @param options - the keys by their ids, each of 32 random bytes, and which is the current one
 * @throws InputError (`InvalidKeyRing`) when the keys cannot be used
 * @throws InputError (`UnknownOption`) for an option that there is not
 *
 * @example
 * ```ts
 * const keys = encryptionKeys({
 *   current: '2026-11',
 *   keys: { '2026-11': process.env.KEY!, '2025-11': process.env.OLD_KEY! }, // base64 of 32 bytes
 * })
 * ```
 */
export function encryptionKeys(options: EncryptionKeysOptions): EncryptionKeys {
  checkOptions(options, OPTION_NAMES, 'encryptionKeys')
  return new EncryptionKeys(options)
}

function randomBytes(size: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(size))
}

function checkRandom(random: (size: number) => Uint8Array): (size: number) => Uint8Array {
  if (typeof random === 'function') return random
  throw mapperInputError({
    code: 'InvalidKeyRing',
    message: 'encryptionKeys: random must be a function that gives that many random bytes.',
  })
}

function checkNonce(nonce: unknown): Uint8Array {
  if (nonce instanceof Uint8Array && nonce.length === NONCE_BYTES) return nonce
  throw mapperInputError({
    code: 'InvalidKeyRing',
    message: `encryptionKeys: random(${NONCE_BYTES}) must give ${NONCE_BYTES} bytes.`,
  })
}
