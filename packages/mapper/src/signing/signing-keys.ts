import { checkCustomPropertyName } from '@rowkey/odata'
import { checkOptions } from '@rowkey/rest'
import { equalBytes, hmacSha256 } from '../crypto/algorithms.ts'
import { decodeHeader, encodeHeader } from '../encryption/format-header.ts'
import { joinBytes } from '../encryption/join-bytes.ts'
import { KeyRing, type KeyRingOptions, type KeyRule, readChoice } from '../encryption/key-ring.ts'

/** What {@link signingKeys} takes. */
export interface SigningKeysOptions extends KeyRingOptions {
  /**
   * The property that holds the signature. The class must not store anything under that name.
   *
   * @defaultValue `'Signature'`
   */
  readonly property?: string | undefined
  /**
   * What becomes of a stored entity without a signature: `'refuse'`, or `'read'` while a table that
   * was never signed is being signed. With `'read'` nobody notices that a signature was removed.
   *
   * @defaultValue `'refuse'`
   */
  readonly unsigned?: 'refuse' | 'read' | undefined
}

/** Why an entity is rejected: see the explanations in `verify-entity.ts`. */
export type SignatureFailure = 'unsigned' | 'malformed' | 'unknownKey' | 'tampered' | 'partial'

/** The reason why a signature is rejected, and the id of its key. */
export interface SignatureFinding {
  readonly failure: SignatureFailure
  readonly keyId?: string
}

const RULE: KeyRule = { ring: 'signingKeys', length: 32, orMore: true }

/**
 * The keys that sign the entities of a class: a ring, of which one key is the current one. From
 * {@link signingKeys}.
 *
 * Nothing shows the keys: not a console, not JSON, not the message or stack of an error.
 */
export class SigningKeys {
  readonly #ring: KeyRing
  readonly #header: Uint8Array
  /** The property that holds the signature. */
  readonly property: string
  /** Entities without a signature are read. */
  readonly readsUnsigned: boolean

  /**
   * @throws InputError (`InvalidKeyRing`) when the keys cannot be used
   * @throws InputError (`InvalidPropertyName`) when the property cannot have that name
   */
  constructor({ property = 'Signature', unsigned, ...ring }: SigningKeysOptions) {
    checkCustomPropertyName(property)
    this.#ring = new KeyRing(ring, RULE)
    this.#header = encodeHeader('HMAC-SHA-256', this.#ring.current)
    this.property = property
    this.readsUnsigned =
      readChoice(unsigned, ['refuse', 'read'], 'signingKeys: unsigned') === 'read'
  }

  /** The id of the key that entities are signed with. */
  get current(): string {
    return this.#ring.current
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
    return joinBytes(this.#header, codeOf(this.#ring.currentKey, this.#header, content))
  }

  /**
   * Looks whether a signature is one of the content, made with any key of the ring.
   *
   * @returns `undefined` when it is
   * @internal
   */
  findFault(signature: Uint8Array, content: Uint8Array): SignatureFinding | undefined {
    const header = decodeHeader('HMAC-SHA-256', signature)
    if (header === undefined) return { failure: 'malformed' }
    const { keyId, length } = header
    const key = this.#ring.find(keyId)
    if (key === undefined) return { failure: 'unknownKey', keyId }
    const expected = codeOf(key, signature.subarray(0, length), content)
    // In a time that does not say where they differ.
    const same = equalBytes(expected, signature.subarray(length))
    return same ? undefined : { failure: 'tampered', keyId }
  }
}

/**
 * Makes the ring of keys for a signed class. Entities are signed with HMAC-SHA-256 over all they
 * store; docs/encryption.md says what is signed, byte by byte.
 *
 * @param options - the keys by their ids, each of 32 random bytes or more, and which is the current one
 * @throws InputError (`InvalidKeyRing`) when the keys cannot be used
 * @throws InputError (`InvalidPropertyName`) when `property` is not a valid name
 * @throws InputError (`UnknownOption`) for an option that there is not
 *
 * @example
 * ```ts
 * const signing = signingKeys({ current: 's1', keys: { s1: process.env.SIGNING_KEY! } })
 * ```
 */
export function signingKeys(options: SigningKeysOptions): SigningKeys {
  checkOptions(options, ['current', 'keys', 'property', 'unsigned'], 'signingKeys')
  return new SigningKeys(options)
}

function codeOf(key: Uint8Array, header: Uint8Array, content: Uint8Array): Uint8Array {
  return hmacSha256(key, joinBytes(header, content))
}
