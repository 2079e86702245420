import { declareOptions, type InputError, oneOf } from '@rowkey/odata'
import { mapperInputError } from '../errors/codes.ts'
import type { SchemaIssue } from '../errors/schema-error.ts'
import { compileSchema } from '../place/compile-schema.ts'
import type { Place } from '../place/place.ts'
import { refusalOf } from '../place/refusal-of.ts'
import { AsynchronousSchema, encode, type Outcome, show, validate } from '../place/run-place.ts'
import { isSameJson, isSameValue } from '../place/same-value.ts'
import { isStandardSchema, type StandardSchema } from '../standard-schema/standard-schema.ts'
import type { Converter } from './converter.ts'
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
  const place = placeOf(schema)
  if (place === undefined) return jsonConverter(UNCHANGED) as Converter<Value, string>
  const showing = (json: unknown) => accepted(() => show(place, json))
  return jsonConverter({
    encode(value) {
      const issues: SchemaIssue[] = []
      const given = encode(place, value, (issue) => issues.push(issue))
      if (issues.length > 0) throw rejected(issues)
      return encode(
        place,
        accepted(() => validate(place, given)),
      )
    },
    decode: options.read === 'lenient' ? UNCHANGED.decode : showing,
  }) as Converter<Value, string> // of the values that the schema or the caller declares
}

/** Converts between values and what JSON holds of them. */
export interface JsonForm {
  /** Returns what JSON holds of a value. */
  encode(value: unknown): unknown
  /** Returns the value of what JSON holds. */
  decode(json: unknown): unknown
}

const UNCHANGED: JsonForm = { encode: (value) => value, decode: (json) => json }

/**
 * Makes a converter of values to JSON text. Stored text stays as it is while the value is unchanged.
 *
 * @param form - what JSON holds of a value
 */
export function jsonConverter({ encode: toJson, decode }: JsonForm): Converter<unknown, string> {
  const update = (stored: string, value: unknown): string => {
    const json = parseJson(stored)
    const encoded = attempt(() => toJson(value))
    if ('error' in encoded) {
      // A value that was read leniently cannot be written. While it is unchanged, it need not be.
      const decoded = attempt(() => decode(json))
      if ('result' in decoded && isSameValue(value, decoded.result)) return stored
      throw encoded.error
    }
    if (isSameJson(encoded.result, json)) return stored
    const shown = attempt(() => toJson(decode(json)))
    const base = 'result' in shown ? shown.result : json
    return updateJson(stored, { base, value: encoded.result })
  }
  return Object.freeze({
    type: 'String',
    toStored(value: unknown): string {
      const source = isObject(value) ? sources.get(value) : undefined
      return source === undefined ? printJson(toJson(value)) : update(source, value)
    },
    fromStored(stored: string): unknown {
      const value = decode(parseJson(stored))
      keepSource(value, stored)
      return value
    },
    update,
  })
}

/** Lets a value keep the text that it was read from, where that has numbers with more digits than JavaScript holds. */
export function keepSource(value: unknown, stored: string): void {
  if (MAY_BE_INEXACT.test(stored) && isObject(value)) sources.set(value, stored)
}

/** Lets what a schema made of a value keep the text of that value. */
export function copySource(from: unknown, to: unknown): void {
  const source = isObject(from) ? sources.get(from) : undefined
  if (source !== undefined && isObject(to)) sources.set(to, source)
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

/** Compiles the schema of a caller. */
function placeOf(schema: unknown): Place | undefined {
  if (schema === undefined) return undefined
  if (!isStandardSchema(schema)) {
    throw invalidJson(
      'The schema of JSON text is not a schema. Give one of zod 4, valibot 1, arktype 2, or another ' +
        'library with Standard Schema, such as z.object({ … }).',
    )
  }
  const place = compileSchema(schema)
  const refusal = refusalOf(place, true)
  if (refusal === undefined) return place
  const { path, problem } = refusal
  throw invalidJson(`The schema of JSON text${path && ` at ${path}`}: ${problem}`, path)
}

function invalidJson(message: string, path?: string): InputError {
  const details = path === undefined ? undefined : { path }
  return mapperInputError({ code: 'InvalidJsonValue', message, details })
}

/** Parses stored text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The error of the parser quotes the text.
    throw invalidJson('The stored text is not JSON.')
  }
}

function accepted(run: () => Outcome): unknown {
  let outcome: Outcome
  try {
    outcome = run()
  } catch (cause) {
    if (!(cause instanceof AsynchronousSchema)) throw cause
    throw invalidJson(
      'The schema checks something asynchronously, which is not supported. Remove it.',
    )
  }
  if ('issues' in outcome) throw rejected(outcome.issues)
  return outcome.value
}

function rejected(issues: readonly SchemaIssue[]): InputError {
  const places = issues.map(({ path, message }) => [path, message].filter(Boolean).join(': '))
  return invalidJson(`The schema rejects it. ${places.join('; ')}.`, issues[0]?.path)
}
