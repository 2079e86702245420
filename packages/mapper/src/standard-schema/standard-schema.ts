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

/** What callers give for a schema: its output, where what it fills in may be missing. */
export type SchemaGiven<Schema extends StandardSchema> = GivenValue<
  SchemaInput<Schema>,
  SchemaOutput<Schema>
>

/**
 * What callers give for a value: what is shown, and not what a codec stores of it.
 *
 * @example
 * ```ts
 * type A = GivenValue<{ at: string; n?: number }, { at: Date; n: number }> // { at: Date; n?: number }
 * ```
 */
export type GivenValue<Input, Output> = unknown extends Input
  ? Input
  : [Input] extends [Output | null | undefined]
    ? Input
    : IsUnion<NonNullable<Output>> extends true
      ? Input | Output
      : GivenPart<NonNullable<Input>, NonNullable<Output>> | Extract<Input, null | undefined>

/**
 * What callers give for an object, an array, or a value that a codec converts.
 *
 * @example
 * ```ts
 * type A = GivenPart<string[], Date[]> // Date[]
 * ```
 */
export type GivenPart<Input, Output> = Output extends Date | Uint8Array
  ? Output
  : Output extends readonly unknown[]
    ? Input extends readonly unknown[]
      ? GivenMembers<Input, Output>
      : Output
    : Output extends object
      ? Input extends object
        ? GivenMembers<Input, Output>
        : Output
      : Output

/**
 * What callers give for the members of an object, or the elements of an array.
 *
 * @example
 * ```ts
 * type A = GivenMembers<{ at?: string }, { at?: Date }> // { at?: Date }
 * ```
 */
export type GivenMembers<Input, Output> = {
  [Name in keyof Input]: Name extends keyof Output
    ? GivenValue<Input[Name], Output[Name]>
    : Input[Name]
}

/**
 * Whether a type has several alternatives; true and false are one.
 *
 * @example
 * ```ts
 * type A = IsUnion<'a' | 'b'> // true
 * ```
 */
export type IsUnion<Type, All = Type> = [Type] extends [boolean]
  ? false
  : Type extends unknown
    ? [All] extends [Type]
      ? false
      : true
    : never

/** Whether a value is a schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const { '~standard': standard } = Object(value) as Partial<StandardSchema>
  return typeof standard?.validate === 'function'
}
