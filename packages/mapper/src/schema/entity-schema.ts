import { ModelError } from '../errors/model-error.ts'
import type { SchemaIssue } from '../errors/schema-error.ts'
import {
  isStandardSchema,
  placeOf,
  type StandardSchema,
} from '../standard-schema/standard-schema.ts'
import { arktypeProperties } from './arktype-properties.ts'
import type { PropertySchema } from './property-schema.ts'
import { valibotProperties } from './valibot-properties.ts'
import { zodProperties } from './zod-properties.ts'

/** The result of checking values against a schema: its output, or the issues. */
export type SchemaOutcome = SchemaValues | SchemaIssues

/** The result for valid values. */
export interface SchemaValues {
  /** The output of the schema, by property. */
  readonly values: Readonly<Record<string, unknown>>
}

/** The result for invalid values. */
export interface SchemaIssues {
  /** The issues, each with its property. */
  readonly issues: readonly SchemaIssue[]
}

/** The schema of a model: it lists the properties and checks their values. */
export class EntitySchema {
  /** The name of the model in messages. */
  readonly title: string
  /** The properties by name, in the order of the schema. */
  readonly properties: ReadonlyMap<string, PropertySchema>
  readonly #schema: StandardSchema

  /**
   * @param title - the name of the model in messages
   * @param schema - an object schema of zod 4 or zod mini, valibot 1 or arktype 2
   * @throws {@link ModelError} for anything else
   */
  constructor(title: string, schema: StandardSchema) {
    const properties = propertiesOf(schema)
    if (properties === undefined) {
      throw new ModelError({
        className: title,
        problem:
          'The schema must be an object schema of zod 4, valibot 1 or arktype 2, such as z.object({ … }).',
      })
    }
    this.title = title
    this.#schema = schema
    this.properties = properties
  }

  /** Checks an entity as a whole; members that the schema does not name are ignored. */
  check(members: Readonly<Record<string, unknown>>): SchemaOutcome {
    const given: Record<string, unknown> = {}
    for (const property of this.properties.keys()) {
      if (members[property] !== undefined) given[property] = members[property]
    }
    return this.#run<Readonly<Record<string, unknown>>>(this.#schema, given, '')
  }

  /** Checks some properties of an entity, each separately, and returns their output. */
  checkPart(
    members: Readonly<Record<string, unknown>>,
    properties: Iterable<string>,
  ): SchemaOutcome {
    const issues: SchemaIssue[] = []
    const values: Record<string, unknown> = {}
    for (const property of properties) {
      const known = this.properties.get(property)
      if (known === undefined) continue
      const outcome = this.#run(known.schema, members[property], property)
      if ('issues' in outcome) issues.push(...outcome.issues)
      else values[property] = outcome.values
    }
    return issues.length > 0 ? { issues } : { values }
  }

  #run<Output>(
    schema: StandardSchema,
    given: unknown,
    place: string,
  ): { readonly values: Output } | SchemaIssues {
    const result = schema['~standard'].validate(given)
    if (result instanceof Promise) {
      throw new ModelError({
        className: this.title,
        problem: 'The schema has an asynchronous check, which is not supported. Remove it.',
      })
    }
    if (result.issues === undefined) return { values: result.value as Output }
    return {
      issues: result.issues.map((issue) => ({
        path: [place, placeOf(issue)].filter(Boolean).join('.'),
        message: issue.message,
      })),
    }
  }
}

/**
 * Reads the properties of an object schema.
 *
 * @param schema - anything
 * @returns `undefined` when it is not an object schema of zod 4, valibot 1 or arktype 2
 */
function propertiesOf(schema: unknown): ReadonlyMap<string, PropertySchema> | undefined {
  if (!isStandardSchema(schema)) return undefined
  return zodProperties(schema) ?? valibotProperties(schema) ?? arktypeProperties(schema)
}
