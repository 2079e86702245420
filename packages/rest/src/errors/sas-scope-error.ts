import { InputError } from '@rowkey/odata'

/** What a shared access signature lacks for a call. */
export type SasLack =
  | 'keyRange'
  | 'permission'
  | 'protocol'
  | 'resourceType'
  | 'service'
  | 'table'
  | 'time'

/** What a {@link SasScopeError} is made from. */
export interface SasScopeErrorOptions {
  /** What was asked for, what the token says, and what it would have to say. */
  readonly message: string
  /** What the token lacks. */
  readonly missing: SasLack
}

/**
 * Thrown when a call is outside of what its shared access signature allows, so that the service must
 * refuse it. Nothing has been sent.
 */
export class SasScopeError extends InputError {
  /** The name of the class, in minified code too. */
  override readonly name = 'SasScopeError'
  /** What programs branch on. */
  override readonly code = 'OutsideSasScope'
  /** What the token lacks: the permission, the table, the range of keys, the time … */
  readonly missing: SasLack

  constructor(options: SasScopeErrorOptions) {
    super(options)
    this.missing = options.missing
  }
}
