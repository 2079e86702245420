/**
 * A schema of any library that follows Standard Schema: zod 4, valibot 1, arktype 2 and others.
 *
 * @example
 * ```ts
 * const schema: StandardSchema<unknown, string[]> = z.array(z.string())
 * ```
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The interface of the library for other programs. */
  readonly '~standard': {
    /** The version of the interface. */
    readonly version: 1
    /** The name of the library. */
    readonly vendor: string
    /** Checks a value, and returns the output or the issues. */
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** The types of values. It exists for the compiler only. */
    readonly types?:
      | {
          /** The input of the schema. */
          readonly input: Input
          /** The output of the schema. */
          readonly output: Output
        }
      | undefined
  }
}

/** The result of a {@link StandardSchema}: a value, or the issues. */
export type StandardResult<Output> =
  | {
      /** The output of the schema. */
      readonly value: Output
      /** Absent for a valid value. */
      readonly issues?: undefined
    }
  | {
      /** The issues. */
      readonly issues: readonly StandardIssue[]
    }

/** One step of the path of an issue. */
export interface StandardPathStep {
  /** A name or an index. */
  readonly key: PropertyKey
}

/** One problem of a value. */
export interface StandardIssue {
  /** The message of the library. */
  readonly message: string
  /** The place: names and indexes from the outside in. */
  readonly path?: readonly (PropertyKey | StandardPathStep)[] | undefined
}

/** The input type of a schema. */
export type SchemaInput<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['input']

/** The output type of a schema. */
export type SchemaOutput<Schema extends StandardSchema> = NonNullable<
  Schema['~standard']['types']
>['output']

/** Whether a value is a schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const { '~standard': standard } = Object(value) as Partial<StandardSchema>
  return typeof standard?.validate === 'function'
}

/** Prints the place of an issue: `lines.0.price`. Empty for the value itself. */
export function placeOf({ path = [] }: StandardIssue): string {
  return Array.from(path, (step) => String(typeof step === 'object' ? step.key : step)).join('.')
}
