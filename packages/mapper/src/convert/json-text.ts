import { declareOptions, type InputError, oneOf } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import { backwards } from '../standard-schema/backwards.ts'
import {
  isStandardSchema,
  placeOf,
  type StandardResult,
  type StandardSchema,
} from '../standard-schema/standard-schema.ts'
import type { Converter } from './converter.ts'
import { isSameJson } from './same-json.ts'
import { printJson, updateJson } from './update-json.ts'

/** Options of {@link jsonText} and {@link Json}. */
export interface JsonOptions {
  /**
   * Whether stored JSON is checked when it is read: `'strict'` throws when the schema rejects it,
   * `'lenient'` reads it without the schema.
   *
   * @defaultValue `'strict'`
   */
  readonly read?: 'strict' | 'lenient' | undefined
}

const jsonOptions = declareOptions<JsonOptions>({ read: oneOf('strict', 'lenient') }, invalidJson)

/**
 * Makes a converter of plain values to JSON text, which is stored as a String. Values that JSON cannot
 * hold without loss are rejected: bigints, NaN, Dates, Maps, instances of classes.
 *
 * Stored text stays as it is while the value is unchanged. When a part of the value changes, the numbers of every
 * other part keep their digits. A number with more digits than JavaScript holds is
 * rejected if it moves to another place in the value.
 *
 * @param schema - checks values before they are written and, unless `read` is `'lenient'`, after they are
 * read. A `z.codec` converts values that JSON cannot hold. Members that the schema strips are not added
 * to what is stored; stored ones stay, except in an array when several elements change
 * @param options - `read`
 * @throws InputError (`UnknownOption`) for an unknown option
 * @throws InputError (`InvalidJsonValue`) when the schema does not follow Standard Schema
 *
 * @example
 * ```ts
 * jsonText().toStored({ tags: ['a'] }, key) // '{"tags":["a"]}'
 * ```
 */
export function jsonText<Value = unknown>(
  schema?: StandardSchema<unknown, Value>,
  options: JsonOptions = {},
): Converter<Value, string> {
  jsonOptions.check(options, 'jsonText')
  checkSchema(schema)
  const isChecked = schema !== undefined && options.read !== 'lenient'
  const encode = (value: unknown) =>
    schema === undefined ? value : accepted(backwards(schema, value))
  const decode = (json: unknown) =>
    isChecked ? accepted(schema['~standard'].validate(json)) : json
  const update = (stored: string, value: unknown): string => {
    const json = parseJson(stored)
    const encoded = attempt(() => encode(value))
    if ('error' in encoded) {
      // A value that was read leniently cannot be written. While it is unchanged, it need not be.
      const decoded = attempt(() => decode(json))
      if ('result' in decoded && isSameJson(value, decoded.result)) return stored
      throw encoded.error
    }
    const shown = attempt(() => encode(decode(json)))
    const base = 'result' in shown ? shown.result : json
    return updateJson(stored, { base, value: encoded.result })
  }
  return Object.freeze({
    type: 'String',
    toStored(value: Value): string {
      const source = isObject(value) ? sources.get(value) : undefined
      return source === undefined ? printJson(encode(value)) : update(source, value)
    },
    fromStored(stored: string): Value {
      const value = decode(parseJson(stored))
      if (MAY_BE_INEXACT.test(stored) && isObject(value)) sources.set(value, stored)
      return value as Value // as the schema or the caller declares
    },
    update,
  })
}

/** A number that may have more digits than JavaScript holds. */
const MAY_BE_INEXACT = /\d[\d.]{15}|\d[eE]/

/** The texts of values with these numbers, for copies of an entity that are stored as new rows. */
const sources = new WeakMap<object, string>()

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function attempt(run: () => unknown): { readonly result: unknown } | { readonly error: unknown } {
  try {
    return { result: run() }
  } catch (error) {
    return { error }
  }
}

function checkSchema(schema: unknown): void {
  if (schema === undefined || isStandardSchema(schema)) return
  throw invalidJson(
    'The schema of JSON text is not a schema. Give one of zod 4, valibot 1, arktype 2, or another ' +
      'library with Standard Schema, such as z.object({ … }).',
  )
}

function invalidJson(message: string): InputError {
  return mapperInputError({ code: 'InvalidJsonValue', message })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The error of the parser quotes the text.
    throw invalidJson('The stored text is not JSON.')
  }
}

function accepted(result: StandardResult<unknown> | Promise<StandardResult<unknown>>): unknown {
  if (result instanceof Promise) {
    throw invalidJson(
      'The schema checks something asynchronously, which is not supported. Remove it.',
    )
  }
  if (result.issues === undefined) return result.value
  const [first] = result.issues
  const places = result.issues.map((issue) =>
    [placeOf(issue), issue.message].filter(Boolean).join(': '),
  )
  throw mapperInputError({
    code: 'InvalidJsonValue',
    details: { path: first && placeOf(first) },
    message: `The schema rejects it. ${places.join('; ')}.`,
  })
}
