import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'

/**
 * Decides which rows are the entities of a table: those of a type, of a version, those that are live, and so on. A row that a rule
 * hides is as a missing one; a row that a rule rejects is an error. Times are milliseconds since 1970.
 */
export interface RowRule {
  /** The stored names that it reads besides the key; a rule without names decides by the key alone. */
  readonly names: readonly string[]
  /** What every query asks, as for `where`; the plans and the tokens of queries contain it. */
  readonly where?: object | undefined
  /**
   * Returns the condition that is sent beside those of a query, which does not know it; `undefined` where only the rows tell.
   *
   * @param flavour - of the service
   */
  filter?(now: number, flavour: Flavour): string | undefined
  /** Tells whether reads leave out a row. A projection of it has the names of the rule. */
  hides?(raw: RawEntity, now: number): boolean
  /** Says why a hidden row is missing, after its name in a message. */
  readonly missing?: string | undefined
  /** Says why an insert must not replace a hidden row, after its name in a message; `undefined` when it may. */
  keeps?(raw: RawEntity, now: number): string | undefined
  /** Returns the body of the merge that hides a row in place of its deletion. */
  deletion?(key: EntityKey, now: number): string
  /** Throws when a row is not an entity, or must not be changed. */
  check?(raw: RawEntity): void
  /** Throws when a key is not that of an entity. */
  checkKey?(key: EntityKey): void
}

/** Decides which rows of a model are live. */
export interface RowLifetime extends RowRule {
  /** The property with the time of the deletion; absent when deletes are final. */
  readonly deletedAt?: string | undefined
  /** Tells whether a row of the model expired or was deleted at a time, or before. */
  isDue(raw: RawEntity, until: number): boolean
  /** Returns the condition of queries on rows that are due. */
  dueFilter(until: number): string
}
