declare const SECRET: unique symbol

/** What the compiler knows a {@link Secret} by. */
export interface SecretMark {
  /** Never there at run time. */
  readonly [SECRET]?: never
}

/**
 * The type of a value that the service cannot read, since it is encrypted: a value of `Value` in every
 * way, except that queries cannot compare it. Any `Value` can be assigned to it.
 *
 * @example
 * ```ts
 * class Customer { ssn?: Secret<string> }
 * const ssn: string | undefined = customer.ssn   // fine
 * customer.ssn = '123-45-6789'                   // fine
 * customers.query().where({ ssn: '123' })        // does not compile
 * ```
 */
export type Secret<Value> = Value & SecretMark

/**
 * Whether a type is a {@link Secret}.
 *
 * @example
 * ```ts
 * type A = IsSecret<Secret<string>> // true
 * type B = IsSecret<string>         // false
 * ```
 */
export type IsSecret<Value> = keyof SecretMark extends keyof Value ? true : false
