import type { EntityKey } from '@rowkey/odata'
import { mapperDecodeError } from '../errors/codes.ts'
import type { DecryptionFailure, EncryptionKeys } from './encryption-keys.ts'
import { placeBytes } from './place-bytes.ts'
import { decodeValue, encodeValue, type TypedValue } from './value-bytes.ts'

/** What a {@link ValueSeal} is made from. */
export interface ValueSealParts {
  readonly keys: EncryptionKeys
  /** The stored name of the property: values are bound to it. */
  readonly name: string
  /** `Class.member`, for messages. */
  readonly label: string
}

const EXPLANATIONS: Readonly<Record<DecryptionFailure, string>> = {
  plaintext:
    'is stored without encryption, and the class says that it is encrypted. ' +
    "encryptionKeys({ plaintext: 'read' }) reads such values while a table is being encrypted.",
  malformed: 'is not in a format of encrypted values that this version knows.',
  unknownKey:
    'is encrypted with a key that is not among the keys. Add that key, for as long as values ' +
    'encrypted with it are stored.',
  tampered:
    'is not what was encrypted here: it was altered, it comes from another entity or property, or ' +
    'the key of that id is another one.',
}

/** Encrypts and decrypts the values of one property of one class. */
export class ValueSeal {
  readonly #keys: EncryptionKeys
  readonly #name: string
  readonly #label: string

  constructor({ keys, name, label }: ValueSealParts) {
    this.#keys = keys
    this.#name = name
    this.#label = label
  }

  /** The bytes that are stored for a value of the entity that has the key. */
  close(typed: TypedValue, key: EntityKey): Uint8Array {
    return this.#keys.seal(encodeValue(typed), placeBytes({ key, name: this.#name }))
  }

  /**
   * The value that was stored.
   *
   * @throws DecodeError (`DecryptionFailed`) when it is not one of this property of that entity
   */
  open(stored: TypedValue, key: EntityKey): TypedValue {
    const { type, value: bytes } = stored
    if (type !== 'Binary' || !(bytes instanceof Uint8Array)) {
      return this.#keys.readsPlaintext ? stored : this.#refuse('plaintext')
    }
    const opened = this.#keys.open(bytes, placeBytes({ key, name: this.#name }))
    if ('failure' in opened) {
      // Bytes that never were encrypted have no header.
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
