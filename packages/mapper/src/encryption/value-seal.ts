import { decodeBase64Url, type EntityKey, encodeBase64Url, type TypedValue } from '@rowkey/odata'
import type { TokenSeal } from '@rowkey/query'
import { mapperDecodeError } from '../errors/codes.ts'
import { decodeText, encodeText } from './byte-text.ts'
import { joinBytes, withLength } from './join-bytes.ts'
import { decodeValue, encodeValue } from './value-bytes.ts'

/** Why a stored value is rejected; the explanations below say more. */
export type DecryptionFailure = 'plaintext' | 'malformed' | 'unknownKey' | 'tampered'

/** The result of opening a sealed value: the plaintext, or the reason of the failure. */
export type Opened =
  | { readonly plaintext: Uint8Array; readonly keyId: string }
  | { readonly failure: DecryptionFailure; readonly keyId?: string }

/** Encrypts and decrypts bytes; `EncryptionKeys` is one. */
interface ValueCipher {
  /** Whether stored values without encryption are read. */
  readonly readsPlaintext: boolean
  /** Encrypts bytes for a place. */
  seal(plaintext: Uint8Array, place: Uint8Array): Uint8Array
  /** Decrypts bytes that were encrypted for the place. */
  open(sealed: Uint8Array, place: Uint8Array): Opened
}

const EXPLANATIONS: Readonly<Record<DecryptionFailure, string>> = {
  plaintext:
    'is stored without encryption, but the class declares it as encrypted. ' +
    "While you encrypt an existing table, encryptionKeys({ plaintext: 'read' }) reads these values.",
  malformed: 'is not in a known format of encrypted values.',
  unknownKey:
    'is encrypted with an unknown key. Add that key to the ring, and keep it as long as values ' +
    'that it encrypted are stored.',
  tampered:
    'was tampered with: it was altered, it comes from another entity or property, or ' +
    'the key with this id is a different one.',
}

/** Encrypts and decrypts the values of one property of one class. */
export class ValueSeal {
  readonly #keys: ValueCipher
  readonly #name: string
  readonly #label: string

  /**
   * @param name - the stored name of the property: values are bound to it
   * @param label - `Class.member`, for messages
   */
  constructor(keys: ValueCipher, name: string, label: string) {
    this.#keys = keys
    this.#name = name
    this.#label = label
  }

  /** Encrypts a value of the entity with the key. */
  close(typed: TypedValue, key: EntityKey): Uint8Array {
    return this.#keys.seal(encodeValue(typed), placeBytes(key, this.#name))
  }

  /**
   * Decrypts a stored value.
   *
   * @throws DecodeError (`DecryptionFailed`) when it was altered, or encrypted for another place
   */
  open(stored: TypedValue, key: EntityKey): TypedValue {
    const { type, value: bytes } = stored
    if (type !== 'Binary' || !(bytes instanceof Uint8Array)) {
      return this.#keys.readsPlaintext ? stored : this.#refuse('plaintext')
    }
    const opened = this.#keys.open(bytes, placeBytes(key, this.#name))
    if ('failure' in opened) {
      // Bytes without a header were never encrypted.
      const readable = opened.failure === 'malformed' && this.#keys.readsPlaintext
      return readable ? stored : this.#refuse(opened.failure, opened.keyId)
    }
    return decodeValue(opened.plaintext) ?? this.#refuse('malformed', opened.keyId)
  }

  #refuse(reason: DecryptionFailure, keyId?: string): never {
    const named = keyId === undefined ? '' : ` (key '${keyId}')`
    const message = `${this.#label}${named} ${EXPLANATIONS[reason]}`
    const details = { property: this.#label, reason, keyId }
    throw mapperDecodeError({ code: 'DecryptionFailed', message, details })
  }
}

/**
 * Writes the bytes of a place. They are authenticated with each encrypted value, so that the value cannot
 * be decrypted in another place: docs/encryption.md.
 *
 * @param key - the key of the entity
 * @param name - the stored name of the property
 */
export function placeBytes(key: EntityKey, name: string): Uint8Array {
  return joinBytes(
    withLength(encodeText(key.partitionKey)),
    withLength(encodeText(key.rowKey)),
    withLength(encodeText(name)),
  )
}

/** Distinguishes tokens from encrypted properties. */
const PURPOSE = 'rowkey continuation token'

/**
 * Encrypts continuation tokens with AES-256-GCM and the current key of a ring. A token can be opened with
 * any key of the ring, only for its own query, and only if it was not altered.
 *
 * @param keys - from `encryptionKeys`
 */
export function tokenSeal(keys: Pick<ValueCipher, 'seal' | 'open'>): TokenSeal {
  return {
    seal: (token, query) => encodeBase64Url(keys.seal(encodeText(token), placeOf(query))),
    open(sealed, query) {
      const bytes = decodeBase64Url(sealed)
      const opened = bytes && keys.open(bytes, placeOf(query))
      return opened && 'plaintext' in opened ? decodeText(opened.plaintext) : undefined
    },
  }
}

function placeOf(query: string): Uint8Array {
  return joinBytes(withLength(encodeText(PURPOSE)), encodeText(query))
}
