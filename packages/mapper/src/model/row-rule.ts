import type { EntityKey, RawEntity } from '@rowkey/odata'
import type { Flavour } from '@rowkey/rest'

/**
 * Decides which rows are the entities of a table: those of a type, of a version, those that are live, and so on. A row that a rule
 * hides is as a missing one; a row that a rule rejects is an error.
 */
export interface RowRule {
  /** The stored names that it reads besides the key; a rule without names decides by the key alone. */
  readonly names: readonly string[]
  /** What every query asks, as for `where`; the plans and the tokens of queries contain it. */
  readonly where?: object | undefined
  /**
   * Returns the condition that is sent beside those of a query, which does not know it. `undefined` where only the rows tell.
   *
   * @param now - milliseconds since 1970
   * @param flavour - of the service
   */
  filter?(now: number, flavour: Flavour): string | undefined
  /**
   * Tells whether reads leave out a row.
   *
   * @param raw - the row; a projection of it has the names of the rule
   * @param now - milliseconds since 1970
   */
  hides?(raw: RawEntity, now: number): boolean
  /** Throws when a row is not an entity, or must not be changed. */
  check?(raw: RawEntity): void
  /** Throws when a key is not that of an entity. */
  checkKey?(key: EntityKey): void
}
