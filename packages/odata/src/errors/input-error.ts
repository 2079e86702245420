import { brand } from './brand.ts'
import { RowkeyError, type RowkeyErrorOptions } from './rowkey-error.ts'

/** Where the rejected input is. Each code of an `InputError` sets the fields that it names. */
export interface InputErrorDetails {
  /** The property, by its stored name, or class and property: `Customer.age`. */
  readonly property?: string | undefined
  /** The class or model that was queried. */
  readonly model?: string | undefined
  /** The `$filter` that would have been sent. */
  readonly filter?: string | undefined
  /** The Edm type that the value must have, without `Edm.`. */
  readonly type?: string | undefined
  /** The option, as it is spelled in code: `retry.maxAttempts`. */
  readonly option?: string | undefined
  /** The change of a batch, counted from 0. */
  readonly index?: number | undefined
  /** The place in a text, in UTF-16 units, counted from 0. */
  readonly position?: number | undefined
  /** How much the input has: properties, bytes or changes. */
  readonly count?: number | undefined
  /** How much it may have, in the unit of `count`. */
  readonly limit?: number | undefined
  /**
   * The part that a shared access signature does not cover: `permission`, `keyRange`, `table`, …
   */
  readonly missing?: string | undefined
  /** The place in a value of JSON: `lines.0.price`; empty for the value itself. */
  readonly path?: string | undefined
  /** The table of the entity that was rejected. */
  readonly table?: string | undefined
  /** PartitionKey of the entity that was rejected. */
  readonly partitionKey?: string | undefined
  /** RowKey of the entity that was rejected. */
  readonly rowKey?: string | undefined
}

/** The options of an `InputError`. */
export interface InputErrorOptions extends RowkeyErrorOptions {
  /**
   * A literal that names the broken rule, such as `UnknownOption`.
   *
   * @defaultValue `'InvalidInput'`
   */
  readonly code?: string | undefined
  /** Where the rejected input is. */
  readonly details?: InputErrorDetails | undefined
}

/**
 * Thrown when the caller's input can never be right. Nothing has been sent.
 *
 * `code` names the broken rule and `details` the place; the message names the thing, the rule and
 * the fix. docs/errors.md lists every code.
 *
 * @example
 * ```ts
 * try {
 *   await customers.merge(jeff)
 * } catch (error) {
 *   if (error instanceof InputError && error.code === 'MissingETag') return readAgain()
 *   throw error
 * }
 * ```
 */
export class InputError extends RowkeyError {
  static {
    brand(InputError, 'rowkey.inputError')
  }

  /** The name of the class, in minified code too. */
  override readonly name: string = 'InputError'
  /** The broken rule. */
  readonly code: string
  /** Where the rejected input is. */
  readonly details: InputErrorDetails

  constructor(options: InputErrorOptions) {
    super(options)
    this.code = options.code ?? 'InvalidInput'
    this.details = options.details ?? {}
  }
}
