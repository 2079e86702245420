import { oneOf, type Rule } from '@rowkey/odata'

/** The kind of service behind an endpoint; some operations differ between the two. */
export type Flavour = 'storage' | 'cosmos'

/** The rule of a {@link Flavour}. */
export const flavourRule: Rule = oneOf('storage', 'cosmos')

/** Where requests go: the two parts that differ between an account's locations. */
export interface ServiceLocation {
  /** Scheme, host and port: `https://contoso-secondary.table.core.windows.net`. */
  readonly origin: string
  /** The path before every resource, without a slash at its end: empty, or `/devstoreaccount1`. */
  readonly basePath: string
}

/** The endpoint of an account's table service, parsed once. */
export interface Endpoint extends ServiceLocation {
  /** Scheme, host and port: `https://contoso.table.core.windows.net`. */
  readonly origin: string
  /** The path before every resource, without a slash at its end: empty, or `/devstoreaccount1`. */
  readonly basePath: string
  /** The account's name, as signatures use it. */
  readonly account: string
  /** The kind of service. */
  readonly flavour: Flavour
  /**
   * The account's copy in a second region, which serves reads; `undefined` without a known copy.
   * Signatures use the same account name there.
   */
  readonly secondary?: ServiceLocation | undefined
  /**
   * Where the rules of the service are checked.
   *
   * @defaultValue `'before sending'`
   */
  readonly checks?: CheckPlace | undefined
}

/** One of an account's two locations: the primary takes writes, the secondary is a copy. */
export type LocationName = 'primary' | 'secondary'

const ACCOUNT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** The rule of {@link isAccountName}, for messages. */
export const ACCOUNT_NAME_RULE =
  'an account name has 1 to 63 letters, digits, dots, dashes and underscores'

/**
 * Tells whether a text can be an account's name. Names in Azure have 3 to 24 lower-case letters and
 * digits; Cosmos DB and emulators allow more.
 *
 * @param name - any value
 */
export function isAccountName(name: unknown): name is string {
  return typeof name === 'string' && ACCOUNT_NAME.test(name)
}

/** Where the rules of the service are checked. */
export type CheckPlace = 'before sending' | 'by the service'

/** The rule of a {@link CheckPlace}. */
export const checksRule: Rule = oneOf('before sending', 'by the service')

/** Tells whether the rules of the service are checked before sending. */
export function isChecked({ checks }: Endpoint): boolean {
  return checks !== 'by the service'
}
