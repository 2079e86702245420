import { isDeepStrictEqual } from 'node:util'
import { isWellFormed } from '@rowkey/odata'
import { Ajv, type ErrorObject } from 'ajv'
import formats from 'ajv-formats'
import { entitiesInputError } from '../errors/codes.ts'

/**
 * Prints JSON whose objects have their members in the order of their names (UTF-16), so that equal values
 * have equal texts. It prints everything else as `JSON.stringify` does.
 *
 * @param value - a value that JSON can hold
 *
 * @example
 * ```ts
 * keySortedJson({ b: 1, a: [{ d: 1, c: null }] }) // '{"a":[{"c":null,"d":1}],"b":1}'
 * ```
 */
function keySortedJson(value: unknown): string {
  // The round trip applies toJSON and drops what JSON drops.
  return print(JSON.parse(jsonOf(value)))
}

/** Prints JSON. A toJSON of the value may return `undefined`, which JSON cannot hold. */
function jsonOf(value: unknown): string {
  const text: string | undefined = JSON.stringify(value)
  if (text !== undefined) return text
  throw entitiesInputError('InvalidValue', 'its toJSON returned nothing that JSON can hold.')
}

function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(byName)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${print(member)}`).join()}}`
}

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number =>
  one < other ? -1 : 1

/** The meaning of a property's bytes: each kind of content can be stored plain and encrypted. */
export interface Content<Value> {
  /** Rejects values of another kind. */
  check(value: unknown, property: string): void
  /** Returns the bytes of a checked value. */
  toBytes(value: Value): Buffer
  /** Reads a value from its bytes. */
  fromBytes(bytes: Buffer): Value
  /** Returns the bytes that a HashKey and a signature hash. */
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
    if (isWellFormed(value)) return
    throw entitiesInputError(
      'InvalidValue',
      `Property "${property}": UTF-8 cannot hold half of a surrogate pair. Remove it, or use a Blob.`,
      property,
    )
  },
  toBytes: (value) => Buffer.from(value, 'utf8'),
  fromBytes: (bytes) => bytes.toString('utf8'),
  hash: (value) => value,
  equal: (one, other) => one === other,
  clone: (value) => value,
}

const isInfinite = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value)

const JSON_TYPES = ['string', 'number', 'object', 'boolean']

/** Values that JSON can hold, as UTF-8. */
export const jsonContent: Content<unknown> = {
  check(value, property) {
    if (!JSON_TYPES.includes(typeof value) || isInfinite(value)) {
      throw wrongType(property, 'a string, number, object, boolean or null', value)
    }
  },
  toBytes: (value) => Buffer.from(jsonOf(value), 'utf8'),
  fromBytes: (bytes) => JSON.parse(bytes.toString('utf8')),
  hash: keySortedJson,
  equal: isDeepStrictEqual,
  clone: (value) => (value === undefined ? value : JSON.parse(JSON.stringify(value))),
}

/** Makes the error for a value of another kind. */
function wrongType(property: string, expected: string, value: unknown): Error {
  const found =
    value === null || typeof value === 'number' ? String(value) : `a value of type ${typeof value}`
  return entitiesInputError(
    'InvalidValue',
    `Property "${property}": expected ${expected}, got ${found}.`,
    property,
  )
}

/**
 * Makes the content of JSON that a JSON Schema (draft 7) describes. It checks values when they are written,
 * and adds the defaults of the schema to the value. Values that are read are not checked.
 *
 * @param schema - the JSON Schema
 * @throws InputError (`InvalidConfiguration`) for an invalid schema
 */
export function schemaContent(schema: object): Content<unknown> {
  const validate = compile(schema)
  return {
    ...jsonContent,
    check(value, property) {
      jsonContent.check(value, property)
      // The stored value may be another one: a Date is an object, and its JSON is text.
      if (validate(value) && validate(JSON.parse(jsonOf(value)))) return
      throw entitiesInputError(
        'InvalidValue',
        `Property "${property}": schema validation failed: ${(validate.errors ?? []).map(describe).join('; ')}.`,
        property,
      )
    },
  }
}

type Validate = ReturnType<Ajv['compile']>

function compile(schema: object): Validate {
  // As ajv 6, which that library uses: unknown keywords and formats are ignored.
  const ajv = new Ajv({ useDefaults: true, strict: false, logger: false })
  formats.default(ajv, { mode: 'fast' })
  try {
    return ajv.compile(schema)
  } catch (cause) {
    const { message } = cause as Error
    throw entitiesInputError('InvalidConfiguration', `The JSON Schema is invalid: ${message}.`)
  }
}

const describe = ({ instancePath, message = 'is invalid' }: ErrorObject): string =>
  `data${instancePath} ${message}`
