import type { KeyRange } from '../keys/key-range.ts'

/** The account's key signed the request: everything is allowed. */
export interface KeyGrant {
  readonly kind: 'key'
}

/** A shared access signature for rows of one table. */
export interface TableGrant {
  readonly kind: 'table'
  /** The table's name in lower case. */
  readonly table: string
  /** Letters of `raud`. */
  readonly permissions: string
  /** The rows that it covers. */
  readonly range: KeyRange
}

/** A shared access signature for the account. */
export interface AccountGrant {
  readonly kind: 'account'
  /** Letters of `rwdylacuptfi`, each once. */
  readonly permissions: string
  /** Letters of `sco`: the service, containers (tables), objects (rows). */
  readonly resourceTypes: string
}

/** A bearer token that the service's check accepted: everything but access policies is allowed. */
export interface BearerGrant {
  readonly kind: 'bearer'
}

/** What the credential of a request allows. */
export type Grant = KeyGrant | TableGrant | AccountGrant | BearerGrant

/** The grant of requests signed with the account's key. */
export const KEY_GRANT: KeyGrant = { kind: 'key' }

/** The grant of requests with an accepted token. */
export const BEARER_GRANT: BearerGrant = { kind: 'bearer' }
