import { brand } from './brand.ts'

/** What every {@link RowkeyError} is made from. */
export interface RowkeyErrorOptions {
  /** What went wrong, the rule, and the fix. It never contains a key, a signature or a SAS. */
  readonly message: string
  /** The error below this one, when there is one. */
  readonly cause?: unknown
}

/**
 * The base of every error that Rowkey throws on purpose.
 *
 * `code` is a literal that programs can branch on; `message` is for people. `instanceof` also recognizes the errors of another
 * copy of the package.
 *
 * @example
 * ```ts
 * try {
 *   await customers.get(['Smith', 'Jeff'])
 * } catch (error) {
 *   if (isRowkeyError(error) && error.code === 'ResourceNotFound') return undefined
 *   throw error
 * }
 * ```
 */
export abstract class RowkeyError extends Error {
  /** A literal that names the kind of failure. */
  abstract readonly code: string
  /**
   * Whether the service may have applied the request; absent for errors that occur before anything is sent,
   * such as an `InputError`.
   */
  declare readonly mayHaveApplied?: boolean

  static {
    brand(RowkeyError, 'rowkey.error')
  }

  constructor(options: RowkeyErrorOptions) {
    super(options.message, 'cause' in options ? { cause: options.cause } : undefined)
  }

  /**
   * Returns what `JSON.stringify` shows of the error: `name`, `code` and `message`, then the fields of its class, and
   * its cause. Of an error of another program it shows `name` and `message`, because other fields may be secret.
   *
   * @example
   * ```ts
   * log.error(JSON.stringify({ error })) // {"error":{"name":"InputError","code":"MissingETag","message":…
   * ```
   */
  toJSON(): Readonly<Record<string, unknown>> {
    return errorJson(this, { ...this })
  }
}

/**
 * Returns what `JSON.stringify` shows of an error: its name, code and message, then fields of its class, and its cause.
 *
 * @param error - the error
 * @param fields - its fields, without what must not be shown
 *
 * @internal
 */
export function errorJson(
  { name, code, message, cause }: RowkeyError,
  fields: object,
): Readonly<Record<string, unknown>> {
  const json = Object.assign({ name, code, message }, jsonOf(fields))
  return cause instanceof Error ? { ...json, cause: jsonOf(cause) } : json
}

/** Converts integers beyond Number to text, and errors of other programs to their name and message. */
function jsonOf(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(jsonOf)
  if (value instanceof Error) return isRowkeyError(value) ? value : foreignError(value)
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, jsonOf(field)]))
}

function foreignError(error: Error): object {
  const { name, message, errors } = error as Partial<AggregateError>
  return { name, message, ...(Array.isArray(errors) && { errors: jsonOf(errors) }) }
}

/**
 * Tells whether a value is an error of Rowkey's, whichever copy of the package made it.
 *
 * @param value - anything, usually what a `catch` received
 * @returns true for every {@link RowkeyError}
 */
export function isRowkeyError(value: unknown): value is RowkeyError {
  return value instanceof Error && value instanceof RowkeyError
}
