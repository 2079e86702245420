import type { CheckName } from './checks/check-name.ts'

/** Which service stands behind an endpoint; some operations are spelled differently for each. */
export type Flavour = 'storage' | 'cosmos'

/** Where requests go: the two parts that differ between an account's locations. */
export interface ServiceLocation {
  /** Scheme, host and port: `https://contoso-secondary.table.core.windows.net`. */
  readonly origin: string
  /** The path before every resource, without a slash at its end: empty, or `/devstoreaccount1`. */
  readonly basePath: string
}

/** Where an account's table service is, taken apart once. */
export interface Endpoint extends ServiceLocation {
  /** Scheme, host and port: `https://contoso.table.core.windows.net`. */
  readonly origin: string
  /** The path before every resource, without a slash at its end: empty, or `/devstoreaccount1`. */
  readonly basePath: string
  /** The account's name, as signatures use it. */
  readonly account: string
  /** Which service stands behind it. */
  readonly flavour: Flavour
  /**
   * Where the account's copy in a second region answers reads; `undefined` when there is none or
   * its place is not known. Signatures name the same account there.
   */
  readonly secondary?: ServiceLocation | undefined
  /** The rules that are left to the service to check; none when absent. */
  readonly unchecked?: readonly CheckName[] | undefined
}
