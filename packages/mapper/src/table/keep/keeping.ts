import type { RawEntity } from '@rowkey/odata'
import type { RawQuerySource } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import type { KeptSlot } from '../../model/kept-slot.ts'
import type { Rows } from '../read/rows.ts'
import type { TableParts } from '../table-parts.ts'
import type { WritePlanner } from '../write/bound-change.ts'
import type { RowKeeper } from './row-keeper.ts'
import type { KeptTable } from './row-path.ts'

/** Reads the rows of one table for queries. */
export type TableSource<Entity> = RawQuerySource<Entity, CallOptions, RawEntity>

/** The table whose writes are planned. */
export type PlannedTable = Pick<TableParts<object>, 'service' | 'name' | 'origin' | 'opener'>

/**
 * What the tables of a model do for its keepers. `keepRows` brings this code, so that bundlers leave it out
 * of programs without keepers.
 */
export interface Keeping {
  /** The keepers, in the order in which they plan, each with the function that declared it. */
  readonly declared: ReadonlyMap<RowKeeper, string>
  /**
   * Does the same for other keepers, whose writes follow those of these in each partition.
   *
   * @param declared - the keepers
   * @param hasKept - as {@link Keeping.hasKept}
   */
  of(declared: ReadonlyMap<RowKeeper, string>, hasKept: boolean): Keeping
  /** Whether queries may meet rows that Rowkey stores beside entities. */
  readonly hasKept: boolean
  /** Why rows must not be copied into the tables as they are stored; absent when they may. */
  readonly uncopied?: string | undefined
  /** Makes what plans the rows that the keepers store with the writes of a table. */
  planner(table: PlannedTable): WritePlanner
  /**
   * Makes what finds rows by the paths of the keepers.
   *
   * @param source - sends the filter of a query
   * @param table - the table of the source
   * @param rows - reads the rows that paths find
   */
  source<Entity>(source: TableSource<Entity>, table: KeptTable, rows: Rows): TableSource<Entity>
}

/** Returns what the tables of a model do for its keepers now; `undefined` without keepers, and without a model. */
export function keepingOf(kept: KeptSlot | undefined): Keeping | undefined {
  return kept?.keeping as Keeping | undefined // only keepRows fills the slot
}
