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

/** Which of an account's two locations: where it is written, or its copy in a second region. */
export type LocationName = 'primary' | 'secondary'

const ACCOUNT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/

/** The rule of {@link isAccountName}, for messages. */
export const ACCOUNT_NAME_RULE =
  'an account name is 1 to 63 letters, digits, dots, dashes and underscores'

/**
 * Tells whether a text can be an account's name. Azure's own have 3 to 24 lower-case letters and
 * digits; Cosmos DB and emulators allow more.
 *
 * @param name - anything
 */
export function isAccountName(name: unknown): name is string {
  return typeof name === 'string' && ACCOUNT_NAME.test(name)
}

/** Who finds out that a rule of the service is broken. */
export type CheckPlace = 'before sending' | 'by the service'

/**
 * The rules of the service that are checked before anything is sent, each of which can be left to
 * the service: when it takes more than this version knows of, or to see its own answer.
 *
 * What no request can carry is refused whatever is said here: a key that is no string, half a
 * surrogate pair, a name that the protocol reads as something else, a value that is not one of its
 * type, a change set without changes. So is what a class declares that no property can be called, and
 * a name that would end a filter.
 */
export interface CheckChoices {
  /** Table names: a letter, then 2 to 62 letters and digits, and not `tables`. */
  readonly tableNames?: CheckPlace | undefined
  /** PartitionKey and RowKey: at most 512 UTF-16 units, no `/ \ # ?` and no control characters. */
  readonly keys?: CheckPlace | undefined
  /**
   * Names of an untyped entity's properties: a letter or `_`, then letters, digits and `_`, and at most
   * 255 UTF-16 units.
   */
  readonly propertyNames?: CheckPlace | undefined
  /** At most 252 properties in one entity, besides PartitionKey, RowKey and Timestamp. */
  readonly propertyCount?: CheckPlace | undefined
  /** At most 32,768 UTF-16 units in a String, and 65,536 bytes in a Binary. */
  readonly propertySizes?: CheckPlace | undefined
  /** At most 1 MiB in one entity, and 2 MiB on Cosmos DB, by the formula of the service. */
  readonly entitySize?: CheckPlace | undefined
  /** At most 100 changes in a change set, of one table and PartitionKey, each entity once. */
  readonly changeSets?: CheckPlace | undefined
  /** At most 4 MiB in a change set as it is sent, and 2 MiB on Cosmos DB. */
  readonly changeSetSize?: CheckPlace | undefined
  /** Stored access policies: at most 5, ids, times and permissions. */
  readonly accessPolicies?: CheckPlace | undefined
  /** Service properties: retention of 1 to 365 days, and the limits of CORS rules. */
  readonly serviceProperties?: CheckPlace | undefined
}

/** The name of one check. */
export type CheckName = keyof CheckChoices
