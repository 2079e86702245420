import type { CallOptions } from '@rowkey/rest'
import type { Summary } from '../derived/compare.ts'
import type { RestrictedTable, RowsWithin, UnfixedValues } from '../rows/rows-within.ts'
import type { GroupOf, GroupValues, SumsOf } from './summary-definition.ts'
import type { SummaryGroup, SummaryTable } from './summary-table.ts'

/**
 * The summaries of the rows that a table from `within` has. The types have the fixed properties no more.
 *
 * @example
 * ```ts
 * const acme = account.table(Employee).within({ tenant: 'acme' })
 * const { count } = await summaries.on(acme).get('staff', { department: 'Sales' })
 * ```
 */
export interface SummaryRows<
  Row extends object,
  Entity extends object,
  Definitions,
  Partition extends object,
> {
  /**
   * Reads one group of a summary: see {@link SummaryTable.get}.
   *
   * @throws InputError (`OutsideWithin`) for the values of other rows
   */
  get<Name extends keyof Definitions & string>(
    summary: Name,
    values: UnfixedValues<Partition & GroupValues<Definitions[Name]>, Row>,
    options?: CallOptions,
  ): Promise<Summary<SumsOf<Entity, Definitions[Name]>>>
  /**
   * Reads all groups of a summary in a partition: see {@link SummaryTable.query}.
   *
   * @throws InputError (`OutsideWithin`) for another partition
   */
  query<Name extends keyof Definitions & string>(
    summary: Name,
    partition: UnfixedValues<Partition, Row>,
    options?: CallOptions,
  ): AsyncGenerator<
    SummaryGroup<GroupOf<Entity, Definitions[Name]>, SumsOf<Entity, Definitions[Name]>>,
    void,
    undefined
  >
}

/** What opens the summaries of the rows that a table from `within` has: {@link declareSummaries} returns it. */
export interface SummariesWithin<Entity extends object, Definitions, Partition extends object> {
  /**
   * Opens the summaries of these rows. Nothing is sent.
   *
   * @param table - a table of the model, from `within`
   */
  on<Row extends object>(
    table: RestrictedTable<Row>,
  ): SummaryRows<Row, Entity, Definitions, Partition>
}

type AnyDefinitions = Readonly<Record<string, object>>

/**
 * Makes the summaries of the rows that a table from `within` has.
 *
 * @param summaries - the summaries of all rows
 * @param rows - the rows
 */
export function summaryRows(
  summaries: SummaryTable<object, object, AnyDefinitions>,
  { complete }: RowsWithin,
): SummaryRows<object, object, AnyDefinitions, object> {
  return {
    get: async (summary, values, options) => summaries.get(summary, complete(values), options),
    async *query(summary, partition, options) {
      yield* summaries.query(summary, complete(partition), options)
    },
  }
}
