import type { $ZodObject, $ZodType } from 'zod/v4/core'
import { ModelError } from '../errors/model-error.ts'
import type { SchemaIssue } from '../errors/schema-error.ts'
import { membersIn } from '../members-in.ts'

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

/** The zod schema of a model: it says which properties there are, and checks their values. */
export class EntitySchema {
  /** What messages call the model. */
  readonly title: string
  /** The schema of each property, in their order. */
  readonly properties: ReadonlyMap<string, $ZodType>
  readonly #schema: $ZodObject

  /**
   * @param title - what messages call the model
   * @param schema - a `z.object({ … })` of zod 4, or of zod mini
   * @throws {@link ModelError} when it is anything else
   */
  constructor(title: string, schema: $ZodObject) {
    const def = schema?._zod?.def
    if (def?.type !== 'object') {
      throw new ModelError({
        className: title,
        problem: 'The schema is no zod object schema. Give one of zod 4, as z.object({ … }).',
      })
    }
    this.title = title
    this.#schema = schema
    this.properties = new Map(Object.entries(def.shape))
  }

  /** Checks an entity as a whole; members that the schema does not name are passed over. */
  check(members: Readonly<Record<string, unknown>>): SchemaOutcome {
    const given: Record<string, unknown> = {}
    for (const property of this.properties.keys()) {
      if (members[property] !== undefined) given[property] = members[property]
    }
    const outcome = this.#run(this.#schema, given, [])
    if ('issues' in outcome) return outcome
    return { values: membersIn(Object(outcome.value)) }
  }

  /** Checks some properties of an entity, each by itself; gives what the schema makes of these. */
  checkPart(
    members: Readonly<Record<string, unknown>>,
    properties: Iterable<string>,
  ): SchemaOutcome {
    const issues: SchemaIssue[] = []
    const values: Record<string, unknown> = {}
    for (const property of properties) {
      const schema = this.properties.get(property)
      if (schema === undefined) continue
      const outcome = this.#run(schema, members[property], [property])
      if ('issues' in outcome) issues.push(...outcome.issues)
      else values[property] = outcome.value
    }
    return issues.length > 0 ? { issues } : { values }
  }

  #run(
    schema: $ZodType,
    given: unknown,
    place: readonly string[],
  ): { readonly value: unknown } | { readonly issues: readonly SchemaIssue[] } {
    const result = schema['~standard'].validate(given)
    if (result instanceof Promise) {
      throw new ModelError({
        className: this.title,
        problem:
          'The schema checks something asynchronously, and an entity is checked at once. Take that out.',
      })
    }
    if (result.issues === undefined) return { value: result.value }
    return {
      issues: result.issues.map(({ path = [], message }) => ({
        path: [...place, ...path.map(nameOf)].join('.'),
        message,
      })),
    }
  }
}

function nameOf(step: PropertyKey | { readonly key: PropertyKey }): string {
  return String(typeof step === 'object' ? step.key : step)
}
