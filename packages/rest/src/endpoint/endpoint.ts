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
  /** The rules that only the service checks. When absent, Rowkey checks all rules. */
  readonly unchecked?: readonly CheckName[] | undefined
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

/** Where a rule of the service is checked. */
export type CheckPlace = 'before sending' | 'by the service'

/**
 * The rules of the service that are checked before a request is sent. Each can be left to the service,
 * for a service that accepts more than this version knows, or to see the service's own error.
 *
 * Some input is always rejected, because no request can carry it. This is a key that is not a string, a
 * lone surrogate, a name with a meaning in the protocol, or a name that would end a filter. It is also a
 * value that does not fit its type, an empty change set, or an invalid property name in a class.
 */
export interface CheckChoices {
  /**
   * Table names: a letter, then 2 to 62 letters and digits, and not `tables`. On Cosmos DB 1 to 255
   * characters, without `/ \ # ?` and without a blank at the end.
   */
  readonly tableNames?: CheckPlace | undefined
  /**
   * PartitionKey and RowKey: at most 512 UTF-16 units, no `/ \ # ?` and no control characters. On Cosmos
   * DB neither is empty, and RowKey has at most 255 bytes.
   */
  readonly keys?: CheckPlace | undefined
  /**
   * Property names of entities without a class: a letter or `_`, then letters, digits and `_`, at
   * most 255 UTF-16 units. On Cosmos DB, of all entities: not `id`, `ID`, `rid` or `ResourceId`.
   */
  readonly propertyNames?: CheckPlace | undefined
  /** At most 252 properties in one entity, besides PartitionKey, RowKey and Timestamp. */
  readonly propertyCount?: CheckPlace | undefined
  /** At most 32,768 UTF-16 units in a String, and 65,536 bytes in a Binary. */
  readonly propertySizes?: CheckPlace | undefined
  /** At most 1 MiB in one entity, 2 MiB on Cosmos DB, as the service counts. */
  readonly entitySize?: CheckPlace | undefined
  /** At most 100 changes in a change set, of one table and PartitionKey, each entity once. */
  readonly changeSets?: CheckPlace | undefined
  /** At most 4 MiB in a change set as sent, 2 MiB on Cosmos DB. */
  readonly changeSetSize?: CheckPlace | undefined
  /** Stored access policies: at most 5, and their ids, times and permissions. */
  readonly accessPolicies?: CheckPlace | undefined
  /** Service properties: retention of 1 to 365 days, and the limits of CORS rules. */
  readonly serviceProperties?: CheckPlace | undefined
}

/** The name of one check. */
export type CheckName = keyof CheckChoices
