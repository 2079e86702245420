import { checkOptions } from '@rowkey/rest'
import { type $ZodIssue, type $ZodType, safeDecode, safeEncode } from 'zod/v4/core'
import { JsonValueError } from '../errors/json-value-error.ts'
import type { Converter } from './converter.ts'
import { printJson } from './print-json.ts'

/** What {@link jsonText} and {@link Json} take beside a schema. */
export interface JsonOptions {
  /**
   * What is done with stored JSON that the schema refuses: `'strict'` throws, `'lenient'` does not ask
   * the schema when it reads.
   *
   * @defaultValue `'strict'`
   */
  readonly read?: 'strict' | 'lenient' | undefined
}

/** What one side of a schema made of a value. */
type Outcome =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly error: { readonly issues: readonly $ZodIssue[] } }

const OPTION_NAMES = ['read'] as const

/**
 * A converter of plain values to JSON text, stored as a String. What JSON cannot hold without loss is
 * refused: bigints, NaN, Dates, Maps, instances of classes.
 *
 * @param schema - checks what is written, and what is read as `options` say. A `z.codec` converts what
 * JSON cannot hold. Members that the schema strips are not stored; `z.looseObject` keeps them
 * @param options - also `read`
 * @throws UnknownOptionError for an option that there is not
 * @throws {@link JsonValueError} when the schema is none of zod's
 *
 * @example
 * ```ts
 * jsonText().toStored({ tags: ['a'] }, key) // '{"tags":["a"]}'
 * ```
 */
export function jsonText<Value = unknown>(
  schema?: $ZodType<Value>,
  options: JsonOptions = {},
): Converter<Value, string> {
  checkOptions(options, OPTION_NAMES, 'jsonText')
  checkParts(schema, options)
  const { read = 'strict' } = options
  return Object.freeze({
    type: 'String',
    toStored(value: Value): string {
      return printJson(schema === undefined ? value : accepted(safeEncode(schema, value)))
    },
    fromStored(stored: string): Value {
      const value: unknown = parseJson(stored)
      const isChecked = schema !== undefined && read === 'strict'
      const result = isChecked ? accepted(safeDecode(schema, value as never)) : value // it decides
      return result as Value // as the schema, or the caller, says it is
    },
  })
}

function checkParts(schema: unknown, { read }: JsonOptions): void {
  if (schema !== undefined && typeof Object(schema)._zod !== 'object') {
    const message =
      'The schema of JSON text is no zod schema. Give one of zod 4, as z.object({ … }).'
    throw new JsonValueError({ message })
  }
  if (read === undefined || read === 'strict' || read === 'lenient') return
  const message = `read is '${String(read)}', and JSON is read 'strict' or 'lenient'. Choose one.`
  throw new JsonValueError({ message })
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The error of the parser quotes the text.
    throw new JsonValueError({ message: 'The stored text is no JSON.' })
  }
}

function accepted(outcome: Outcome): unknown {
  if (outcome.success) return outcome.data
  const [first] = outcome.error.issues
  const places = outcome.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`,
  )
  throw new JsonValueError({
    path: first?.path.map(String).join('.'),
    message: `The schema refuses it. ${places.join('; ')}.`,
  })
}
