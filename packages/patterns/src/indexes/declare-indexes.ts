import {
  type EntityClass,
  type EntityModel,
  type KeyMembers,
  keepRows,
  modelOf,
} from '@rowkey/mapper'
import { declareDerived } from '../derived/keeper.ts'
import { checkArgument } from '../errors/check-argument.ts'
import { aDuration, aModel, aRecord } from '../errors/rules.ts'
import { declarePattern } from '../options/pattern-options.ts'
import { type Declared, declared } from '../rows/model-table.ts'
import { partitionComparison } from './compare-partitions.ts'
import { indexDefinition } from './index-checks.ts'
import type { CheckedIndexes, IndexDefinitions } from './index-definition.ts'
import { indexesOf } from './index-entry.ts'
import { indexKeeper } from './index-keeper.ts'
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
}

const indexesOptions = declarePattern<IndexesOptions>({ lease: aDuration })

/** The indexes of a model, from {@link declareIndexes} or {@link declareEventualIndexes}. */
export type Indexes<
  Entity extends object,
  Input extends object,
  Key extends object,
  Definitions extends object,
  Partition extends object = Partial<Key>,
> = Declared<IndexedTable<Entity, Input, Key, Definitions, keyof Definitions & string, Partition>>

/**
 * Declares secondary indexes of a class or model. From then on every write of its tables also writes the
 * index entries, in the same transaction: single calls, batches, operations and `modify`. An index lies in the
 * partition of its entities, so each read by it names a partition.
 *
 * Call it next to the class or model, before the first write. A new index of a table with rows is
 * not read before {@link IndexedTable.build}: a step of a deployment.
 *
 * @param entity - the class or model
 * @param definitions - the indexes by their names: letters, digits, `-` and `_`
 * @param options - how long a process may use a state that it read
 * @throws ModelError when the model cannot have an index
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
): Indexes<Entity, Input, Key, Definitions, Partition>
export function declareIndexes<Entity extends object>(
  entity: EntityClass<Entity> | EntityModel<Entity>,
  definitions: IndexDefinitions<Entity>,
  options: IndexesOptions = {},
): Indexes<Entity, Entity, KeyMembers<Entity>, IndexDefinitions<Entity>> {
  indexesOptions.check(options, 'declareIndexes')
  if (typeof entity !== 'function') checkArgument(aModel, entity, 'declareIndexes')
  checkArgument(aRecord, definitions, 'declareIndexes')
  const given = typeof entity === 'function' ? modelOf(entity) : entity
  const model = given as EntityModel<object, object, object>
  const indexes = indexesOf(model, definitions, indexDefinition)
  const all = [...indexes.values()]
  const catalogue = declareDerived(model, all, options.lease, 'declareIndexes')
  keepRows(model, indexKeeper(all, catalogue), 'declareIndexes')
  const parts = { model: given, indexes, catalogue, comparison: partitionComparison(model) }
  const place = `the indexes of ${model.title}`
  return declared(model, place, (table) => new IndexedTable(parts, table))
}
