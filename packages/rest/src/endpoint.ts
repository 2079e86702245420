/** Which service stands behind an endpoint; some operations are spelled differently for each. */
export type Flavour = 'storage' | 'cosmos'

/** Where an account's table service is, taken apart once. */
export interface Endpoint {
  /** Scheme, host and port: `https://contoso.table.core.windows.net`. */
  readonly origin: string
  /** The path before every resource, without a slash at its end: empty, or `/devstoreaccount1`. */
  readonly basePath: string
  /** The account's name, as signatures use it. */
  readonly account: string
  /** Which service stands behind it. */
  readonly flavour: Flavour
}
