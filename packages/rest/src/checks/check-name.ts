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

/** Every name, or this does not compile. */
const names: Record<CheckName, true> = {
  accessPolicies: true,
  changeSetSize: true,
  changeSets: true,
  entitySize: true,
  keys: true,
  propertyCount: true,
  propertyNames: true,
  propertySizes: true,
  serviceProperties: true,
  tableNames: true,
}

/** The names of {@link CheckChoices}. */
export const CHECK_NAMES = Object.keys(names) as readonly CheckName[]
