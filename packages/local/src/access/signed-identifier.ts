import type { DateTimeValue } from '@rowkey/odata'

/** A stored access policy: terms that signatures on one table refer to by an id. */
export interface SignedIdentifier {
  /** 1 to 64 characters, which signatures name as `si`. */
  readonly id: string
  /** UTC. Left to the signature when absent. */
  readonly start: DateTimeValue | undefined
  /** UTC. Left to the signature when absent. */
  readonly expiry: DateTimeValue | undefined
  /** Letters of `raud`. */
  readonly permissions: string | undefined
}
