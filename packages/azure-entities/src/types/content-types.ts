import { entitiesDecodeError, entitiesInputError } from '../errors/codes.ts'
import type { PropertyType } from './base-type.ts'
import { BaseBufferType, MAX_BYTES } from './buffer-type.ts'
import type { Content } from './content.ts'
import { decrypt, encrypt } from './encryption.ts'

/** Makes the type that stores a content as it is. */
export function plainType<Value>(content: Content<Value>): PropertyType<Value> {
  return class extends ContentType<Value> {
    protected override readonly content = content
  }
}

/** Makes the type that stores a content encrypted, in at most 256 KiB - 32 bytes before encryption. */
export function encryptedType<Value>(content: Content<Value>): PropertyType<Value> {
  return class extends EncryptedType<Value> {
    protected override readonly content = content
  }
}

abstract class ContentType<Value> extends BaseBufferType<Value> {
  protected abstract readonly content: Content<Value>

  toBuffer(value: Value, _cryptoKey?: Uint8Array): Buffer {
    this.content.check(value, this.property)
    return this.content.toBytes(value)
  }

  fromBuffer(buffer: Buffer, _cryptoKey?: Uint8Array): Value {
    try {
      return this.content.fromBytes(buffer)
    } catch (cause) {
      throw entitiesDecodeError(
        'UnreadableProperty',
        `Property "${this.property}": the stored bytes are not valid JSON.`,
        { property: this.property, cause },
      )
    }
  }

  equal(one: Value, other: Value): boolean {
    return this.content.equal(one, other)
  }

  clone(value: Value): Value {
    return this.content.clone(value)
  }

  override hash(value: Value): string | Uint8Array {
    this.content.check(value, this.property)
    return this.content.hash(value)
  }
}

/** An IV of 16 bytes, and up to 16 bytes of padding. */
const MAX_PLAIN_BYTES = MAX_BYTES - 32

abstract class EncryptedType<Value> extends ContentType<Value> {
  override readonly isEncrypted: boolean = true

  override toBuffer(value: Value, cryptoKey?: Uint8Array): Buffer {
    const plain = super.toBuffer(value)
    if (plain.length <= MAX_PLAIN_BYTES) return encrypt(plain, this.keyOf(cryptoKey))
    throw entitiesInputError(
      'PropertyTooLarge',
      `Property "${this.property}" has ${plain.length} bytes; an encrypted property holds ${MAX_PLAIN_BYTES}. Store the value elsewhere, such as in a blob.`,
      this.property,
    )
  }

  override fromBuffer(buffer: Buffer, cryptoKey?: Uint8Array): Value {
    try {
      return this.content.fromBytes(decrypt(buffer, this.keyOf(cryptoKey)))
    } catch (cause) {
      throw entitiesDecodeError(
        'DecryptionFailed',
        `Property "${this.property}" cannot be decrypted. Use the cryptoKey that the row was written with.`,
        { property: this.property, cause },
      )
    }
  }

  private keyOf(cryptoKey: Uint8Array | undefined): Uint8Array {
    if (cryptoKey !== undefined) return cryptoKey
    throw entitiesInputError(
      'InvalidSetup',
      `Property "${this.property}" is encrypted and needs a cryptoKey. Pass it to setup.`,
      this.property,
    )
  }
}
