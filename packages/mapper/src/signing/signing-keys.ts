import { anything, checkCustomPropertyName, declareOptions, oneOf } from '@rowkey/odata'
import { equalBytes, hmacSha256 } from '../crypto/mac.ts'
import { joinBytes } from '../encryption/join-bytes.ts'
import {
  invalidKeyRing,
  type Keyed,
  KeyRing,
  type KeyRingOptions,
  type KeyRule,
} from '../encryption/key-ring.ts'
import type { SignatureFinding } from './verify-entity.ts'
import { type Signature, signatureBy } from './with-signature.ts'

/** The options of {@link signingKeys}. */
export interface SigningKeysOptions extends KeyRingOptions {
  /**
   * The property of the signature. The class must not store another value under that name.
   *
   * @defaultValue `'Signature'`
   */
  readonly property?: string | undefined
  /**
   * Whether a stored entity without a signature is rejected (`'reject'`) or read (`'read'`). Use `'read'`
   * while you sign an existing table. With `'read'`, a removed signature is not detected.
   *
   * @defaultValue `'reject'`
   */
  readonly unsigned?: 'reject' | 'read' | undefined
}

const signingOptions = declareOptions<SigningKeysOptions>(
  { current: anything, keys: anything, property: anything, unsigned: oneOf('reject', 'read') },
  invalidKeyRing,
)

const RULE: KeyRule = { ring: 'signingKeys', algorithm: 2, length: 32, orMore: true } // HMAC-SHA-256

/**
 * The keys that sign the entities of a class, one of them current, from {@link signingKeys}.
 *
 * The keys never appear in a console, in JSON, or in the message or stack of an error.
 */
export class SigningKeys {
  readonly #ring: KeyRing
  /** The property of the signature. */
  readonly property: string
  /** Whether entities without a signature are read. */
  readonly readsUnsigned: boolean

  /**
   * @throws InputError (`InvalidKeyRing`) for invalid keys
   * @throws InputError (`InvalidPropertyName`) for an invalid name of the property
   */
  constructor(options: SigningKeysOptions) {
    signingOptions.check(options, 'signingKeys')
    const { property = 'Signature', unsigned, ...ring } = options
    checkCustomPropertyName(property)
    this.#ring = new KeyRing(ring, RULE)
    this.property = property
    this.readsUnsigned = unsigned === 'read'
  }

  /** The id of the key that signs entities. */
  get current(): string {
    return this.#ring.current.keyId
  }

  /** The ids of all keys. */
  get ids(): readonly string[] {
    return this.#ring.ids
  }

  /**
   * Signs with the current key.
   *
   * @internal
   */
  sign(content: Uint8Array): Uint8Array {
    const { current } = this.#ring
    return joinBytes(current.header, codeOf(current, content))
  }

  /**
   * Checks whether a signature is valid for the content, with any key of the ring.
   *
   * @returns the fault; `undefined` for a valid signature
   * @internal
   */
  findFault(signature: Uint8Array, content: Uint8Array): SignatureFinding | undefined {
    const found = this.#ring.read(signature, 0)
    if ('failure' in found) return found
    // In constant time, so that the time does not show where they differ.
    const same = equalBytes(codeOf(found, content), found.content)
    return same ? undefined : { failure: 'tampered', keyId: found.keyId }
  }

  /**
   * Returns what the keys add to the mapping of a class.
   *
   * @param className - the class, for messages
   * @internal
   */
  signatureOf(className: string): Signature {
    return signatureBy(this, className)
  }
}

/**
 * Makes the signing keys of a class. Entities are signed with HMAC-SHA-256 over everything that is
 * stored; docs/encryption.md describes the signed bytes.
 *
 * @param options - the keys by their ids, each of 32 random bytes or more, and the id of the current one
 * @throws InputError (`InvalidKeyRing`) for invalid keys
 * @throws InputError (`InvalidPropertyName`) when `property` is not a valid name
 * @throws InputError (`UnknownOption`) for an unknown option
 *
 * @example
 * ```ts
 * const signing = signingKeys({ current: 's1', keys: { s1: process.env.SIGNING_KEY! } })
 * ```
 */
export function signingKeys(options: SigningKeysOptions): SigningKeys {
  return new SigningKeys(options)
}

function codeOf({ key, header }: Omit<Keyed, 'content'>, content: Uint8Array): Uint8Array {
  return hmacSha256(key, joinBytes(header, content))
}
