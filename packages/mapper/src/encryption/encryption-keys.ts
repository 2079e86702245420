import { aFunction, anything, declareOptions, oneOf } from '@rowkey/odata'
import type { TokenSeal } from '@rowkey/query'
import { decryptGcm, encryptGcm } from '../crypto/cipher.ts'
import { joinBytes } from './join-bytes.ts'
import { invalidKeyRing, KeyRing, type KeyRingOptions, type KeyRule } from './key-ring.ts'
import { type Opened, tokenSeal, ValueSeal } from './value-seal.ts'

/** The options of {@link encryptionKeys}. */
export interface EncryptionKeysOptions extends KeyRingOptions {
  /**
   * Whether a stored value without encryption is rejected (`'reject'`) or read (`'read'`). Use `'read'`
   * while you encrypt an existing table: replacing an entity encrypts it. With `'read'`, a value that
   * another program stored in place of an encrypted one is not detected.
   *
   * @defaultValue `'reject'`
   */
  readonly plaintext?: 'reject' | 'read' | undefined
  /**
   * Returns a number of random bytes for a nonce. Only for tests; it must never repeat a value.
   *
   * @defaultValue `crypto.getRandomValues`
   */
  readonly random?: ((size: number) => Uint8Array) | undefined
}

const RULE: KeyRule = { ring: 'encryptionKeys', algorithm: 1, length: 32, orMore: false } // AES-256-GCM
const keyOptions = declareOptions<EncryptionKeysOptions>(
  { current: anything, keys: anything, plaintext: oneOf('reject', 'read'), random: aFunction },
  invalidKeyRing,
)
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * The keys of encrypted properties, one of them current, from {@link encryptionKeys}.
 *
 * The keys never appear in a console, in JSON, or in the message or stack of an error.
 */
export class EncryptionKeys {
  readonly #ring: KeyRing
  readonly #random: (size: number) => Uint8Array
  /** Whether stored values without encryption are read. */
  readonly readsPlaintext: boolean

  /** @throws InputError (`InvalidKeyRing`) for invalid keys */
  constructor(options: EncryptionKeysOptions) {
    keyOptions.check(options, 'encryptionKeys')
    const { plaintext, random = randomBytes, ...ring } = options
    this.#ring = new KeyRing(ring, RULE)
    this.#random = random
    this.readsPlaintext = plaintext === 'read'
  }

  /** The id of the key that encrypts new values. */
  get current(): string {
    return this.#ring.current.keyId
  }

  /** The ids of all keys. */
  get ids(): readonly string[] {
    return this.#ring.ids
  }

  /**
   * Encrypts with the current key and a new nonce.
   *
   * @param plaintext - any bytes
   * @param place - bytes that must be the same in `open`
   * @internal
   */
  seal(plaintext: Uint8Array, place: Uint8Array): Uint8Array {
    const nonce = checkNonce(this.#random(NONCE_BYTES))
    const { key, header } = this.#ring.current
    const sealed = encryptGcm({ key, nonce, context: joinBytes(header, place) }, plaintext)
    return joinBytes(header, nonce, sealed)
  }

  /**
   * Decrypts a result of {@link EncryptionKeys.seal} with the key that it names.
   *
   * @param sealed - any bytes
   * @param place - the same bytes as in `seal`
   * @internal
   */
  open(sealed: Uint8Array, place: Uint8Array): Opened {
    const found = this.#ring.read(sealed, NONCE_BYTES + TAG_BYTES)
    if ('failure' in found) return found
    const { key, keyId, header, content } = found
    const nonce = content.subarray(0, NONCE_BYTES)
    const ciphertext = content.subarray(NONCE_BYTES)
    const plaintext = decryptGcm({ key, nonce, context: joinBytes(header, place) }, ciphertext)
    return plaintext === undefined ? { failure: 'tampered', keyId } : { plaintext, keyId }
  }

  /**
   * Makes what encrypts the values of one property of a class. The keys bring this code, so that bundlers
   * leave it out of a program without encryption.
   *
   * @param name - the stored name of the property
   * @param label - `Class.member`, for messages
   * @internal
   */
  valueSeal(name: string, label: string): ValueSeal {
    return new ValueSeal(this, name, label)
  }

  /**
   * Makes what encrypts continuation tokens.
   *
   * @internal
   */
  tokenSeal(): TokenSeal {
    return tokenSeal(this)
  }
}

/**
 * Makes the keys of encrypted properties. Values are encrypted with AES-256-GCM; docs/encryption.md
 * describes the stored format byte by byte, and how to rotate keys.
 *
 * @param options - the keys by their ids, each of 32 random bytes, and the id of the current one
 * @throws InputError (`InvalidKeyRing`) for invalid keys
 * @throws InputError (`UnknownOption`) for an unknown option
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
  return new EncryptionKeys(options)
}

function randomBytes(size: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(size))
}

function checkNonce(nonce: unknown): Uint8Array {
  if (nonce instanceof Uint8Array && nonce.length === NONCE_BYTES) return nonce
  throw invalidKeyRing(`random(${NONCE_BYTES}) of encryptionKeys must return ${NONCE_BYTES} bytes.`)
}
