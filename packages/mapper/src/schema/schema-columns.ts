import { ModelError } from '../errors/model-error.ts'
import type { Column } from '../model/entity-model.ts'
import type { ColumnRules } from './column-rule.ts'
import { defOf, edmTypeOfSchema } from './edm-type-of-schema.ts'
import type { EntitySchema } from './entity-schema.ts'

/** What is said of the columns of a schema beside it. */
export interface ColumnOptions {
  /** The stored names of properties that have another one. */
  readonly storeAs?: Readonly<Record<string, string | undefined>> | undefined
  /** What else is said of some properties. */
  readonly columns?: ColumnRules | undefined
}

/**
 * The columns of a schema's properties, those aside that only the keys hold.
 *
 * @param options - what else is said of them
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
    const { encryption, plain, converter, chunkType } = rules[property] ?? {}
    const type = converter?.type ?? edmTypeOfSchema(schema)
    if (type === undefined) {
      throw new ModelError({
        className: title,
        property,
        problem:
          `No Edm type stores what its schema (${defOf(schema).type}) gives and takes. Use text, a number, a bigint, ` +
          'a boolean, a Date, z.instanceof(Uint8Array), or a union of one of these; say converted(jsonText()) ' +
          'in columns to store anything else as JSON; transformations cannot be undone.',
      })
    }
    if (inKeys.has(property)) continue
    const name = storeAs[property] ?? property
    const form = { ...(converter && { converter }), ...(chunkType && { chunked: true }) }
    columns.push(Object.freeze({ property, name, type, encryption, plain, ...form }))
  }
  return columns
}

/** Whether an object has a value there could not be told. */
function inherited(className: string, property: string): ModelError {
  return new ModelError({
    className,
    property,
    problem: `Every object has a member of that name. Call the property something else, and store it as '${property}' by storeAs.`,
  })
}
