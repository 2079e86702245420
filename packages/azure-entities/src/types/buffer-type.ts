import { entitiesDecodeError, entitiesInputError } from '../errors/codes.ts'
import { BaseType, type Row } from './base-type.ts'

/** The largest Binary property of the service. */
const CHUNK_BYTES = 64 * 1024
/** The largest value of one property: four chunks. */
export const MAX_BYTES: number = 4 * CHUNK_BYTES

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
    if (typeof count !== 'number') throw unreadable(this.property, `__bufchunks_${this.property}`)
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
