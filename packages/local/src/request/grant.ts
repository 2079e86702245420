import type { KeyRange } from '../keys/key-range.ts'

/** The account's key signed the request itself: everything is allowed. */
export interface KeyGrant {
  readonly kind: 'key'
}

/** A shared access signature for the rows of one table. */
export interface TableGrant {
  readonly kind: 'table'
  /** The table's name in lower case. */
  readonly table: string
  /** Letters of `raud`. */
  readonly permissions: string
  /** The rows that it is for. */
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

/** A bearer token that the service's check let in: everything but access policies. */
export interface BearerGrant {
  readonly kind: 'bearer'
}

/** What the proof that came with a request lets it do. */
export type Grant = KeyGrant | TableGrant | AccountGrant | BearerGrant

/** The grant of everyone who has the account's key. */
export const KEY_GRANT: KeyGrant = { kind: 'key' }

/** The grant of everyone with a token that was let in. */
export const BEARER_GRANT: BearerGrant = { kind: 'bearer' }
