import {
  dateTimeOfTicks,
  decodeHex,
  EDM_TYPES,
  type EdmType,
  type EdmValue,
  encodeHex,
  type TypedValue,
  ticksOf,
} from '@rowkey/odata'
import { decodeText, encodeText } from './byte-text.ts'
import { fourBytes, joinBytes } from './join-bytes.ts'

/**
 * The byte of each type in encrypted and signed content. They are part of the stored formats: never
 * change one.
 */
export const TYPE_CODES: Readonly<Record<EdmType, number>> = Object.freeze({
  Binary: 1,
  Boolean: 2,
  DateTime: 3,
  Double: 4,
  Guid: 5,
  Int32: 6,
  Int64: 7,
  String: 8,
})

const typesByCode: ReadonlyMap<number | undefined, EdmType> = new Map(
  EDM_TYPES.map((type) => [TYPE_CODES[type], type]),
)

/** Converts values of one type to bytes and back: docs/encryption.md. */
interface ByteForm<Type extends EdmType> {
  encode(value: EdmValue<Type>): Uint8Array
  /** Returns `undefined` when the bytes are not a value of the type. */
  decode(bytes: Uint8Array): EdmValue<Type> | undefined
}

const byteForms: { readonly [Type in EdmType]: ByteForm<Type> } = {
  Binary: { encode: (value) => value, decode: (bytes) => bytes },
  Boolean: {
    encode: (value) => Uint8Array.of(value ? 1 : 0),
    decode: ([byte, ...rest]) => (rest.length === 0 ? [false, true][byte ?? -1] : undefined),
  },
  DateTime: {
    encode: (value) => eightBytes((view) => view.setBigInt64(0, ticksOf(value))),
    decode: (bytes) => fromEight(bytes, (view) => dateTimeOfTicks(view.getBigInt64(0))),
  },
  Double: {
    encode: (value) => eightBytes((view) => view.setFloat64(0, value)),
    decode: (bytes) => fromEight(bytes, (view) => view.getFloat64(0)),
  },
  // The 16 bytes in the order of their digits.
  Guid: {
    encode: (value) => decodeHex(value.replaceAll('-', '')) as Uint8Array, // a Guid has only digits
    decode: guidOf,
  },
  Int32: {
    encode: fourBytes,
    decode: (bytes) => (bytes.length === 4 ? viewOf(bytes).getInt32(0) : undefined),
  },
  Int64: {
    encode: (value) => eightBytes((view) => view.setBigInt64(0, value)),
    decode: (bytes) => fromEight(bytes, (view) => view.getBigInt64(0)),
  },
  String: { encode: encodeText, decode: decodeText },
}

/** Encodes a value, without its type. */
export function valueBytes({ type, value }: TypedValue): Uint8Array {
  const form = byteForms[type] as ByteForm<EdmType> // the form of the value's own type
  return form.encode(value)
}

/** Encodes a value: the byte of its type, then its bytes. */
export function encodeValue(typed: TypedValue): Uint8Array {
  return joinBytes(Uint8Array.of(TYPE_CODES[typed.type]), valueBytes(typed))
}

/**
 * Decodes the result of {@link encodeValue}.
 *
 * @returns `undefined` for any other bytes
 */
export function decodeValue(bytes: Uint8Array): TypedValue | undefined {
  const type = typesByCode.get(bytes[0])
  if (type === undefined) return undefined
  const value = byteForms[type].decode(bytes.subarray(1))
  return value === undefined ? undefined : { type, value }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function eightBytes(write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(8)
  write(viewOf(bytes))
  return bytes
}

function fromEight<Value>(bytes: Uint8Array, read: (view: DataView) => Value): Value | undefined {
  return bytes.length === 8 ? read(viewOf(bytes)) : undefined
}

function guidOf(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 16) return undefined
  return encodeHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
