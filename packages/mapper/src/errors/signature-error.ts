import { DecodeError, type EntityKey, type RowkeyErrorOptions } from '@rowkey/odata'

/**
 * Why an entity was refused: it has no signature, its signature is not in the format, its key is not
 * in the ring, the entity is not what was signed under that key, or only a part of it was read.
 */
export type SignatureFailure = 'unsigned' | 'malformed' | 'unknownKey' | 'tampered' | 'partial'

/** What a {@link SignatureError} is made from. */
export interface SignatureErrorOptions extends RowkeyErrorOptions {
  /** The class of the entity. */
  readonly className: string
  /** PartitionKey and RowKey of the entity. */
  readonly key: EntityKey
  /** Why it was refused. */
  readonly reason: SignatureFailure
  /** The id of the key that the signature names, when it names one. */
  readonly keyId?: string | undefined
}

/**
 * Thrown when a stored entity of a signed class is not as it was signed: a property was altered, added
 * or removed, or the entity stands under another key. The entity is not read.
 *
 * Neither the message nor any member holds a key or a signature.
 */
export class SignatureError extends DecodeError {
  /** `SignatureError`. */
  override readonly name = 'SignatureError'
  /** `SignatureInvalid`: what programs branch on. */
  override readonly code = 'SignatureInvalid'
  /** The class of the entity. */
  readonly className: string
  /** PartitionKey and RowKey of the entity. */
  readonly key: EntityKey
  /** Why it was refused. */
  readonly reason: SignatureFailure
  /** The id of the key that the signature names; `undefined` when it names none. */
  readonly keyId: string | undefined

  constructor(options: SignatureErrorOptions) {
    super({ ...options, details: { ...options.key } })
    this.className = options.className
    this.key = options.key
    this.reason = options.reason
    this.keyId = options.keyId
  }
}
