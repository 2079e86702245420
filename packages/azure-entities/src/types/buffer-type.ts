import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { InputError } from '@rowkey/odata'
import { entitiesDecodeError, entitiesInputError } from '../errors/codes.ts'
import { BaseType, type PropertyType, type Row } from './base-type.ts'
import type { Content } from './content.ts'

/** The largest Binary property of the service. */
const CHUNK_BYTES = 64 * 1024
/** The largest value of one property: four chunks. */
const MAX_BYTES: number = 4 * CHUNK_BYTES

/**
 * A type whose values are stored as bytes: chunks of 64 KiB in properties of their own
 * (`__buf0_name`, `__buf1_name`, …), and their number in `__bufchunks_name`. A value has at most 256 KiB.
 */
export abstract class BaseBufferType<Value> extends BaseType<Value> {
  /**
   * Returns the stored bytes of a value.
   *
   * @param value - the value
   * @param cryptoKey - 32 bytes, for encrypted types
   */
  abstract toBuffer(value: Value, cryptoKey?: Uint8Array): Buffer

  /**
   * Reads a value from its stored bytes.
   *
   * @param buffer - the bytes
   * @param cryptoKey - 32 bytes, for encrypted types
   */
  abstract fromBuffer(buffer: Buffer, cryptoKey?: Uint8Array): Value

  serialize(target: Row, value: Value, cryptoKey?: Uint8Array): void {
    const bytes = this.toBuffer(value, cryptoKey)
    checkSize(this.property, bytes.length)
    const chunks = Math.ceil(bytes.length / CHUNK_BYTES)
    for (let index = 0; index < chunks; index += 1) {
      const name = `__buf${index}_${this.property}`
      const chunk = bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES)
      target[`${name}@odata.type`] = 'Edm.Binary'
      target[name] = chunk.toString('base64')
    }
    target[`__bufchunks_${this.property}`] = chunks
  }

  deserialize(source: Row, cryptoKey?: Uint8Array): Value {
    const count = source[`__bufchunks_${this.property}`]
    if (!isCount(count)) throw unreadable(this.property, `__bufchunks_${this.property}`)
    const chunks = Array.from({ length: count }, (_, index) => {
      const name = `__buf${index}_${this.property}`
      const chunk = source[name]
      if (typeof chunk !== 'string') throw unreadable(this.property, name)
      return Buffer.from(chunk, 'base64')
    })
    return this.fromBuffer(Buffer.concat(chunks), cryptoKey)
  }

  override hash(value: Value): string | Uint8Array {
    return this.toBuffer(value)
  }
}

/** A row has at most 252 properties. */
const isCount = (count: unknown): count is number =>
  Number.isInteger(count) && Number(count) >= 0 && Number(count) <= 252

function checkSize(property: string, bytes: number): void {
  if (bytes <= MAX_BYTES) return
  throw entitiesInputError(
    'PropertyTooLarge',
    `Property "${property}" has ${bytes} bytes; a property holds ${MAX_BYTES}. Store the value elsewhere, such as in a blob.`,
    property,
  )
}

const unreadable = (property: string, stored: string) =>
  entitiesDecodeError(
    'UnreadableProperty',
    `Property "${property}": the row has no valid ${stored}.`,
    { property },
  )

const ALGORITHM = 'aes-256-cbc'
const IV_BYTES = 16

/**
 * Encrypts bytes with AES-256-CBC. The result begins with a random IV of 16 bytes.
 *
 * @param plain - the bytes
 * @param key - 32 bytes
 */
function encrypt(plain: Uint8Array, key: Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, iv)
  return Buffer.concat([iv, cipher.update(plain), cipher.final()])
}

/**
 * Decrypts bytes of {@link encrypt}. The format has no authentication: sign the entities, too.
 *
 * @param sealed - the bytes
 * @param key - 32 bytes
 * @throws an Error of `node:crypto` for another key or other bytes, as far as the padding shows it
 */
function decrypt(sealed: Uint8Array, key: Uint8Array): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, IV_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES)), decipher.final()])
}

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
    return this.checked(value, () => this.content.toBytes(value))
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

  override equal(one: Value, other: Value): boolean {
    return this.content.equal(one, other)
  }

  override clone(value: Value): Value {
    return this.content.clone(value)
  }

  override hash(value: Value): string | Uint8Array {
    return this.checked(value, () => this.content.hash(value))
  }

  private checked<Result>(value: Value, print: () => Result): Result {
    try {
      this.content.check(value, this.property)
      return print()
    } catch (cause) {
      if (cause instanceof InputError && cause.details.property !== undefined) throw cause
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw entitiesInputError(
        'InvalidValue',
        `Property "${this.property}": the value cannot be stored: ${reason}`,
        this.property,
      )
    }
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
