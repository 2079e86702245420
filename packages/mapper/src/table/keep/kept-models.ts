import type { RawEntity } from '@rowkey/odata'
import type { RawQuerySource } from '@rowkey/query'
import type { CallOptions, TableService } from '@rowkey/rest'
import { ModelError } from '../../errors/model-error.ts'
import type { EntityModel } from '../../model/entity-model.ts'
import type { RowLifetime } from '../../model/row-lifetime.ts'
import type { RowOrigin } from '../../snapshot/snapshot.ts'
import type { WriteSender } from '../write/entity-change.ts'
import type { KeptTable } from './row-path.ts'

/** Reads the rows of one table for queries. */
export type TableSource<Entity> = RawQuerySource<Entity, CallOptions, RawEntity>

/** The table whose writes keep further rows, and what sends them. */
export interface KeptWrites {
  readonly service: TableService
  /** The name of the table. */
  readonly table: string
  readonly origin: RowOrigin
  /** Sends the changes, those of the keepers included. */
  readonly sender: WriteSender<object>
}

/**
 * What the tables of a model do for its keepers. `keepRows` brings this code, so that bundlers leave it out
 * of programs without keepers.
 */
export interface Keeping {
  /** Why rows must not be copied into the tables as they are stored; absent when they may. */
  readonly uncopied?: string | undefined
  /** Makes what sends the writes of a table together with what the keepers store. */
  sender(writes: KeptWrites): WriteSender<object>
  /**
   * Makes what leaves out the rows of the keepers in queries, and finds rows by their paths.
   *
   * @param source - sends the filter of a query
   * @param table - the table of the source
   * @param lifetime - decides which rows paths leave out, as the source does; none when absent
   */
  source<Entity>(
    source: TableSource<Entity>,
    table: KeptTable,
    lifetime?: RowLifetime | undefined,
  ): TableSource<Entity>
}

const kept = new WeakMap<object, Keeping>()
/** The models with an open table. */
const opened = new WeakSet<object>()

/** Returns what the tables of a model do for its keepers; `undefined` without keepers. */
export function keepingOf(model: EntityModel<object>): Keeping | undefined {
  opened.add(model)
  return kept.get(model)
}

/**
 * Sets what the tables of a model do for its keepers.
 *
 * @throws {@link ModelError} after the first table of the model was opened
 */
export function setKeeping(model: EntityModel<object>, keeping: Keeping): void {
  if (opened.has(model)) {
    throw new ModelError({
      className: model.title,
      problem:
        'A table of this model is open already, and its writes would not keep the new rows. Declare what is kept next to the model, before the first account.table.',
    })
  }
  kept.set(model, keeping)
}
