import { DecodeError, type RowkeyErrorOptions } from '@rowkey/odata'

/**
 * Why a stored value was refused: it is not encrypted at all, it is not in the format of encrypted
 * values, its key is not in the ring, or it is not what was encrypted under that key, at that place.
 */
export type DecryptionFailure = 'plaintext' | 'malformed' | 'unknownKey' | 'tampered'

/** What a {@link DecryptionError} is made from. */
export interface DecryptionErrorOptions extends RowkeyErrorOptions {
  /** Class and member, such as `Customer.ssn`. */
  readonly property: string
  /** Why it was refused. */
  readonly reason: DecryptionFailure
  /** The id of the key that the value names, when it names one. */
  readonly keyId?: string | undefined
}

/**
 * Thrown when a stored value of an encrypted property is not one that a key of the ring encrypted for
 * this very property of this very entity. The entity is not read.
 *
 * Neither the message nor any member holds a key or a byte of the value.
 */
export class DecryptionError extends DecodeError {
  /** `DecryptionError`. */
  override readonly name = 'DecryptionError'
  /** `DecryptionFailed`: what programs branch on. */
  override readonly code = 'DecryptionFailed'
  /** Class and member, such as `Customer.ssn`. */
  readonly property: string
  /** Why it was refused. */
  readonly reason: DecryptionFailure
  /** The id of the key that the value names; `undefined` when it names none. */
  readonly keyId: string | undefined

  constructor(options: DecryptionErrorOptions) {
    super({ ...options, details: { property: options.property } })
    this.property = options.property
    this.reason = options.reason
    this.keyId = options.keyId
  }
}
