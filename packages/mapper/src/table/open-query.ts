import type { DynamicEntity } from '@rowkey/odata'
import { dynamicQueryModel, queryNode } from '@rowkey/query'
import { keepersIn } from '../keep/keepers.ts'
import { withoutKept } from '../model/kept-rule.ts'
import { entitySource } from '../rows/entity-source.ts'
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
  const source = entitySource({ ...table, rows: shown })
  const keptSource = keepers?.source(source, { service, name }, shown)
  const all = new TableQuery(
    queryNode(queryModel, scans),
    keptSource ?? resumedSource(source),
    raw,
    false,
  )
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
