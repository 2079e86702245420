import type { DateTimeValue } from '@rowkey/odata'

/** A stored access policy: terms that signatures on one table refer to by an id. */
export interface SignedIdentifier {
  readonly id: string
  readonly start: DateTimeValue | undefined
  readonly expiry: DateTimeValue | undefined
  /** Letters of `raud`. */
  readonly permissions: string | undefined
}
