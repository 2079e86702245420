import {
  type EntityClass,
  type EntityModel,
  type KeyMembers,
  keepRows,
  modelOf,
} from '@rowkey/mapper'
import { declareDerived } from '../derived/keeper.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aDuration, aModel, aRecord } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import type { Declared, ModelTable } from '../rows/model-table.ts'
import { declaredWithin, type RowsWithin } from '../rows/rows-within.ts'
import { aWorker, type Work } from '../worker/work.ts'
import { indexComparison } from './compare-indexes.ts'
import { FarEntries } from './far-entries.ts'
import type { CheckedIndexes, IndexDefinitions } from './index-definition.ts'
import { type EntityIndex, indexesOf } from './index-entry.ts'
import { indexKeeper } from './index-keeper.ts'
import { type IndexesWithin, indexedRows } from './indexed-rows.ts'
import { IndexedTable } from './indexed-table.ts'

/** The options of {@link declareIndexes}. */
export interface IndexesOptions {
  /**
   * Milliseconds for which a process may use the states that it read of everything that is derived from the rows of the model. Make it longer
   * than a write takes, retries included, and give all programs the same.
   *
   * @defaultValue `10_000`
   */
  readonly lease?: number | undefined
  /** The worker that writes the entries of indexes with a `partitionKey`. They need one. */
  readonly worker?: Work<object> | undefined
}

const indexesOptions = declarePattern<IndexesOptions>({ lease: aDuration, worker: aWorker })

/**
 * Declares secondary indexes of a class or model. From then on every write of its tables also writes the
 * index entries, in the same transaction: single calls, batches, operations and `modify`. An index lies in the
 * partition of its entities, so each read by it names a partition.
 *
 * An index with a `partitionKey` lies in partitions of its own, or in another table, and is read without a partition of the entities. Each
 * write stores a message in its own transaction, and the worker writes the entries a moment later.
 *
 * Call it next to the class or model, before the first write. A new index of a table with rows is
 * not read before {@link IndexedTable.build}: a step of a deployment.
 *
 * @param entity - the class or model
 * @param definitions - the indexes by their names: letters, digits, `-` and `_`
 * @param options - how long a process may use a state that it read, and the worker
 * @throws ModelError when the model cannot have an index
 * @throws InputError (`InvalidPatternOption`) for an index with a `partitionKey` and no worker
 *
 * @example
 * ```ts
 * const indexes = declareIndexes(Employee, {
 *   email: { rowKey: key`${'email'}`, unique: true },
 *   lastName: { rowKey: key`${'lastName'}_${'id:6'}`, project: ['firstName'] },
 * })
 * const employees = account.table(Employee) // each write keeps both indexes
 * const jones = await indexes.on(account).find('email', { department: 'Sales', email: 'jones@example.com' })
 * ```
 */
export function declareIndexes<
  Entity extends object,
  const Definitions extends IndexDefinitions<Entity>,
  Input extends object = Entity,
  Key extends object = KeyMembers<Entity>,
  Partition extends object = Partial<Key>,
>(
  entity: EntityModel<Entity, Input, Key, Partition> | EntityClass<Entity>,
  definitions: Definitions & IndexDefinitions<Entity> & CheckedIndexes<Entity, Definitions>,
  options?: IndexesOptions,
): Declared<IndexedTable<Entity, Input, Key, Definitions, keyof Definitions & string, Partition>> &
  IndexesWithin<Entity, Definitions, Partition>
export function declareIndexes<Entity extends object>(
  entity: EntityClass<Entity> | EntityModel<Entity>,
  definitions: IndexDefinitions<Entity>,
  options: IndexesOptions = {},
): object {
  indexesOptions.check(options, 'declareIndexes')
  if (typeof entity !== 'function') checkArgument(aModel, entity, 'declareIndexes')
  checkArgument(aRecord, definitions, 'declareIndexes')
  const given = typeof entity === 'function' ? modelOf(entity) : entity
  const model = given as EntityModel<object, object, object>
  const indexes = indexesOf(model, definitions)
  const all = [...indexes.values()]
  const [near, far] = [all.filter(isNear), all.filter((index) => !isNear(index))]
  const [first] = far
  if (first !== undefined && options.worker === undefined) throw noWorker(first)
  const catalogue = declareDerived(model, all, options.lease, 'declareIndexes')
  if (near.length > 0) keepRows(model, indexKeeper(near, catalogue), 'declareIndexes')
  const entries = new FarEntries(model, far, catalogue)
  if (far.length > 0 && options.worker !== undefined) entries.serve(options.worker)
  const comparison = indexComparison(model, entries.follower)
  const parts = { model: given, indexes, catalogue, comparison, far: entries }
  const place = `the indexes of ${model.title}`
  const open = (table: ModelTable, rows?: RowsWithin) =>
    new IndexedTable<object, object, object, Readonly<Record<string, { unique: true }>>>(
      parts as never,
      table,
      rows?.given as never,
    ) // a table of the model
  return declaredWithin(model, place, open, indexedRows)
}

function isNear({ isEventual }: EntityIndex): boolean {
  return !isEventual
}

function noWorker({ name, model }: EntityIndex): Error {
  return invalidPatternOption(
    `Index ${name} of ${model.title} has a partitionKey, so a worker writes its entries, and it has none. Declare it with declareIndexes(…, { worker }).`,
  )
}
