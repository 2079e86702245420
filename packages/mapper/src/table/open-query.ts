import type { DynamicEntity } from '@rowkey/odata'
import { dynamicQueryModel, type QueryModel, queryNode } from '@rowkey/query'
import { keepersIn } from '../keep/keepers.ts'
import { withoutKept } from '../model/kept-rule.ts'
import { entitySource, type RowSource } from '../rows/entity-source.ts'
import { resumedSource } from '../rows/resumed-source.ts'
import { storedRows, type TableParts } from '../rows/table-parts.ts'
import type { RawTable } from './raw-table.ts'
import { TableQuery } from './table-query.ts'

/**
 * Returns a new query of a table.
 *
 * @param table - the table
 * @param raw - deletes and copies its rows
 */
export function openQuery<Entity extends object>(
  table: TableParts<Entity>,
  raw: RawTable,
): TableQuery<Entity> {
  const { service, name, queryModel, scans, kept, rows } = table
  const keepers = keepersIn(kept)
  const shown = keepers?.hasKept ? rows.with(withoutKept) : rows
  const own = resumedSource(entitySource({ ...table, rows: shown }))
  const source = keepers?.source(own, { service, name }) ?? own
  const all = new TableQuery(queryNode(queryModel, scans), source, raw, false)
  // Only the compiler knows the shape: the members of a DynamicEntity are not its properties.
  return rows.rules.reduce(
    (query, { where }) => (where === undefined ? query : query.where(where as never)),
    all,
  )
}

/** Returns a query of all rows of a table, of any type and those of keepers, by their stored names. */
export function openRawQuery(table: TableParts<object>, raw: RawTable): TableQuery<DynamicEntity> {
  // Rows of no type are shown as they are stored.
  const source = entitySource({ ...table, rows: storedRows(table) })
  const query = new TableQuery(
    queryNode(dynamicQueryModel(table.name), table.scans),
    source,
    raw,
    true,
  )
  const all = query as unknown as TableQuery<DynamicEntity> // its rows are never read
  return table.within === undefined ? all : all.where(table.within.condition)
}

/** What {@link queryThrough} needs of a table. */
interface QueriedTable<Entity extends object> {
  readonly parts: TableParts<Entity>
  readonly rawRows: RawTable
}

/**
 * Returns a query of a table that finds its rows in another way than by the filter, such as by an index. It is a query as any other.
 *
 * @param table - the table
 * @param model - what the query may ask about
 * @param through - makes the source that finds the rows, from the one that sends the filter
 * @internal
 */
export function queryThrough<Entity extends object>(
  { parts, rawRows }: QueriedTable<Entity>,
  model: QueryModel,
  through: (own: RowSource<Entity>) => RowSource<Entity>,
): TableQuery<Entity> {
  // A page ahead would read rows that a caller who leaves the loop never sees.
  const node = { ...queryNode(model, parts.scans), prefetch: false }
  return new TableQuery(node, through(entitySource(parts)), rawRows, false)
}
