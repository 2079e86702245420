/**
 * A schema of any library that follows Standard Schema: zod 4, valibot 1, arktype 2 and others.
 *
 * @example
 * ```ts
 * const schema: StandardSchema<unknown, string[]> = z.array(z.string())
 * ```
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What the library publishes for programs like this one. */
  readonly '~standard': {
    /** The version of the interface. */
    readonly version: 1
    /** The name of the library. */
    readonly vendor: string
    /** Checks a value, and returns what the schema makes of it or what is wrong. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** The types of values. It exists for the compiler only. */
    readonly types?:
      | {
          /** What the schema accepts. */
          readonly input: Input
          /** What it makes of that. */
          readonly output: Output
        }
      | undefined
  }
}

/** The result of a {@link StandardSchema}: a value, or what is wrong. */
export type StandardResult<Output> =
  | {
      /** What the schema makes of the value. */
      readonly value: Output
      /** Absent, since nothing is wrong. */
      readonly issues?: undefined
    }
  | {
      /** What is wrong, one for each place. */
      readonly issues: readonly StandardIssue[]
    }

/** One step of the path of an issue. */
export interface StandardPathStep {
  /** A name or an index. */
  readonly key: PropertyKey
}

/** One thing that is wrong with a value. */
export interface StandardIssue {
  /** What is wrong, in the library's words. */
  readonly message: string
  /** Where: names and indexes from the outside in. */
  readonly path?: readonly (PropertyKey | StandardPathStep)[] | undefined
}

/** The type of the values that a schema takes. */
export type SchemaInput<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['input']

/** The type of the values that a schema gives. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['output']

/** Whether a value is a schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const { '~standard': standard } = Object(value) as Partial<StandardSchema>
  return typeof standard?.validate === 'function'
}

/** The place of an issue as text: `lines.0.price`. Empty for the value itself. */
export function placeOf({ path = [] }: StandardIssue): string {
  return Array.from(path, (step) => String(typeof step === 'object' ? step.key : step)).join('.')
}
