import type { TableQuery } from '@rowkey/mapper'
import type { QueryShape, WhereCondition } from '@rowkey/query'
import type { CallOptions } from '@rowkey/rest'
import type { ManyWritesOptions } from '../options/pattern-options.ts'
import type { RestrictedTable, RowsWithin, UnfixedValues } from '../rows/rows-within.ts'
import type { IndexValues, UniqueName } from './index-definition.ts'
import type { IndexedTable } from './indexed-table.ts'

/**
 * The indexes of the rows that a table from `within` has. No read leaves these rows, also where the entries of all rows lie in one partition. The
 * types have the fixed properties no more.
 *
 * @example
 * ```ts
 * const acme = account.table(Employee).within({ tenant: 'acme' })
 * const jones = await indexes.on(acme).find('email', { email: 'jones@example.com' })
 * ```
 */
export interface IndexedRows<
  Row extends object,
  Entity extends object,
  Definitions extends object,
  Partition extends object,
> {
  /**
   * Reads the entity with a value of a unique index: see {@link IndexedTable.find}.
   *
   * @throws InputError (`OutsideWithin`) for values of other rows
   */
  find<Unique extends UniqueName<Definitions>>(
    index: Unique,
    values: UnfixedValues<IndexValues<Entity, Definitions[Unique], Partition>, Row>,
    options?: CallOptions,
  ): Promise<Row | undefined>
  /** Queries the entities in the order of an index: see {@link IndexedTable.query}. */
  query(index: keyof Definitions & string, where?: WhereCondition<QueryShape<Row>>): TableQuery<Row>
  /** Queries the copies that the entries hold: see {@link IndexedTable.copies}. */
  copies(
    index: keyof Definitions & string,
    options?: CallOptions,
  ): Promise<TableQuery<Partial<Row>>>
  /**
   * Writes the entries in other partitions that follow from the ended writes of one partition: see {@link IndexedTable.refresh}.
   *
   * @throws InputError (`OutsideWithin`) for another partition
   */
  refresh(values: UnfixedValues<Partition, Row>, options?: ManyWritesOptions): Promise<number>
}

/** What opens the indexes of the rows that a table from `within` has: {@link declareIndexes} returns it. */
export interface IndexesWithin<
  Entity extends object,
  Definitions extends object,
  Partition extends object,
> {
  /**
   * Opens the indexes of these rows. Nothing is sent.
   *
   * @param table - a table of the model, from `within`
   */
  on<Row extends object>(
    table: RestrictedTable<Row>,
  ): IndexedRows<Row, Entity, Definitions, Partition>
}

/** The indexes of all rows, for callers that know no types. */
type AnyIndexes = IndexedTable<object, object, object, Readonly<Record<string, { unique: true }>>>

/**
 * Makes the indexes of the rows that a table from `within` has.
 *
 * @param indexes - the indexes, which read entities by this table
 * @param rows - the rows
 */
export function indexedRows(
  indexes: AnyIndexes,
  { where, complete }: RowsWithin,
): IndexedRows<object, object, Readonly<Record<string, { unique: true }>>, object> {
  return {
    find: async (index, values, options) => indexes.find(index, complete(values), options),
    query(index, condition) {
      const own = indexes.query(index, where as never) // the conditions of any properties
      return condition === undefined ? own : own.where(condition as never)
    },
    copies: async (index, options) => (await indexes.copies(index, options)).where(where as never),
    refresh: async (values, options) => indexes.refresh(complete(values), options),
  }
}
