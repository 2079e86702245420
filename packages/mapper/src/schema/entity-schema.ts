import { ModelError } from '../errors/model-error.ts'
import type { SchemaIssue } from '../errors/schema-error.ts'
import { placeOf, type StandardSchema } from '../standard-schema/standard-schema.ts'
import { propertiesOf } from './properties-of.ts'
import type { PropertySchema } from './property-schema.ts'

/** What checking values against a schema gave: the values as the schema has them, or what is wrong. */
export type SchemaOutcome = SchemaValues | SchemaIssues

/** Values that fit a schema. */
export interface SchemaValues {
  /** The values by property, as the schema makes them. */
  readonly values: Readonly<Record<string, unknown>>
}

/** What is wrong with values that do not fit a schema. */
export interface SchemaIssues {
  /** Each thing that is wrong, with its property. */
  readonly issues: readonly SchemaIssue[]
}

/** The schema of a model: it names the properties, and checks their values. */
export class EntitySchema {
  /** What messages call the model. */
  readonly title: string
  /** Each property by its name, in the order of the schema. */
  readonly properties: ReadonlyMap<string, PropertySchema>
  readonly #schema: StandardSchema

  /**
   * @param title - what messages call the model
   * @param schema - an object schema of zod 4 or zod mini, valibot 1 or arktype 2
   * @throws {@link ModelError} when it is anything else
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
    const outcome = this.#run(this.#schema, given, '')
    if ('issues' in outcome) return outcome
    return { values: Object(outcome.value) as Record<string, unknown> }
  }

  /** Checks some properties of an entity, each by itself; gives what the schema makes of these. */
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
      else values[property] = outcome.value
    }
    return issues.length > 0 ? { issues } : { values }
  }

  #run(
    schema: StandardSchema,
    given: unknown,
    place: string,
  ): { readonly value: unknown } | { readonly issues: readonly SchemaIssue[] } {
    const result = schema['~standard'].validate(given)
    if (result instanceof Promise) {
      throw new ModelError({
        className: this.title,
        problem: 'The schema checks something asynchronously, which is not supported. Remove it.',
      })
    }
    if (result.issues === undefined) return { value: result.value }
    return {
      issues: result.issues.map((issue) => ({
        path: [place, placeOf(issue)].filter(Boolean).join('.'),
        message: issue.message,
      })),
    }
  }
}
