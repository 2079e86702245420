import type { Converter } from '../convert/converter.ts'
import { jsonText } from '../convert/json-text.ts'
import { safeInt64 } from '../convert/safe-int64.ts'
import { ModelError } from '../errors/model-error.ts'
import { valueChunks } from '../member/value-chunks.ts'
import type { ColumnRule, ColumnRules } from '../schema/column-rule.ts'
import type { EntitySchema } from '../schema/entity-schema.ts'
import type { PropertySchema } from '../schema/property-schema.ts'
import type { Column } from './entity-model.ts'

/** The options of columns in addition to their schema. */
export interface ColumnOptions {
  /** The stored names of properties that are stored under another name. */
  readonly storeAs?: Readonly<Record<string, string | undefined>> | undefined
  /** The rules of some properties. */
  readonly columns?: ColumnRules | undefined
}

/**
 * Makes the columns of a schema's properties, except those that are only in the keys.
 *
 * @param options - stored names and rules
 * @throws {@link ModelError} for a property that no Edm type stores, or that every object has
 */
export function schemaColumns(
  { title, properties }: EntitySchema,
  inKeys: ReadonlySet<string>,
  { storeAs = {}, columns: rules = {} }: ColumnOptions,
): readonly Column[] {
  const columns: Column[] = []
  for (const [property, schema] of properties) {
    if (property in Object.prototype) throw inherited(title, property)
    const { encryption, plain, chunkType, ...rule } = rules[property] ?? {}
    const inKey = inKeys.has(property)
    const converter = rule.converter ?? ownConverter(schema, rule, inKey)
    const type = converter?.type ?? schema.type
    if (type === undefined) {
      throw new ModelError({
        className: title,
        property,
        problem:
          `No Edm type stores the values of its schema (${schema.kind}). Use a string, a number, a bigint, a ` +
          'boolean, a Date, bytes, or a union of one of these; arrays and objects are stored as JSON, but not ' +
          'in a key. Use converted() in columns for any other value; transformations cannot be undone.',
      })
    }
    if (inKey) continue
    const name = storeAs[property] ?? property
    const form = {
      ...(converter && { converter }),
      ...(chunkType && { chunked: true, chunks: valueChunks }),
    }
    columns.push(Object.freeze({ property, name, type, encryption, plain, ...form }))
  }
  return columns
}

/** Returns the converter that a property needs without one of the caller's. */
function ownConverter(
  { isJson }: PropertySchema,
  rule: ColumnRule,
  inKey: boolean,
): Converter | undefined {
  if (inKey) return undefined
  if (rule.type === 'Int64') return safeInt64 as Converter<unknown> as Converter
  return isJson ? jsonText() : undefined
}

/** Rejects a name of Object.prototype, because every object seems to have that property. */
function inherited(className: string, property: string): ModelError {
  return new ModelError({
    className,
    property,
    problem: `Every JavaScript object has a member of that name. Rename the property, and store it as '${property}' with storeAs.`,
  })
}
