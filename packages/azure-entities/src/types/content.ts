import { isDeepStrictEqual } from 'node:util'
import { entitiesInputError } from '../errors/codes.ts'
import { keySortedJson } from './key-sorted-json.ts'

/** What the bytes of a property mean: each kind of content can be stored plain and encrypted. */
export interface Content<Value> {
  /** Rejects values of another kind. */
  check(value: unknown, property: string): void
  /** Returns the bytes of a checked value. */
  toBytes(value: Value): Buffer
  /** Reads a value from its bytes. */
  fromBytes(bytes: Buffer): Value
  /** Returns what a HashKey and a signature hash. */
  hash(value: Value): string | Uint8Array
  /** Tells whether two values are equal. */
  equal(one: Value, other: Value): boolean
  /** Returns a copy that shares nothing that can change. */
  clone(value: Value): Value
}

/** Bytes. */
export const blobContent: Content<Buffer> = {
  check(value, property) {
    if (!Buffer.isBuffer(value)) throw wrongType(property, 'a Buffer', value)
  },
  toBytes: (value) => value,
  fromBytes: (bytes) => bytes,
  hash: (value) => value,
  equal: (one, other) => Buffer.isBuffer(one) && Buffer.isBuffer(other) && one.equals(other),
  clone: (value) => (Buffer.isBuffer(value) ? Buffer.from(value) : value),
}

/** Text of any length, as UTF-8. */
export const textContent: Content<string> = {
  check(value, property) {
    if (typeof value !== 'string') throw wrongType(property, 'a string', value)
  },
  toBytes: (value) => Buffer.from(value, 'utf8'),
  fromBytes: (bytes) => bytes.toString('utf8'),
  hash: (value) => value,
  equal: (one, other) => one === other,
  clone: (value) => value,
}

const JSON_TYPES = ['string', 'number', 'object', 'boolean']

/** Values that JSON can hold, as UTF-8. */
export const jsonContent: Content<unknown> = {
  check(value, property) {
    if (!JSON_TYPES.includes(typeof value)) {
      throw wrongType(property, 'a string, number, object, boolean or null', value)
    }
  },
  toBytes: (value) => Buffer.from(JSON.stringify(value), 'utf8'),
  fromBytes: (bytes) => JSON.parse(bytes.toString('utf8')),
  hash: keySortedJson,
  equal: isDeepStrictEqual,
  clone: (value) => (value === undefined ? value : JSON.parse(JSON.stringify(value))),
}

/** Makes the error for a value of another kind. */
export function wrongType(property: string, expected: string, value: unknown): Error {
  const found = value === null ? 'null' : `a value of type ${typeof value}`
  return entitiesInputError(
    'InvalidValue',
    `Property "${property}": expected ${expected}, got ${found}.`,
    property,
  )
}
