import type { Row } from '@rowkey/azure-entities'
import { type LocalTableService, localTableService } from '@rowkey/local'
import {
  insertOrReplaceEntity,
  mergeEntity,
  perform,
  queryEntities,
  type TableService,
  tableService,
} from '@rowkey/rest'

/** An embedded service of one test, and the rows that it stores. */
export interface Tables {
  readonly local: LocalTableService
  readonly service: TableService
  /** The rows as the service returns them. */
  rows(table: string): Promise<readonly Row[]>
  /** Stores a row as another program would. */
  put(table: string, row: Row): Promise<void>
  /** Merges properties into a row, whatever its version. */
  change(table: string, row: Row): Promise<void>
}

export function embeddedTables(): Tables {
  const local = localTableService()
  const { transport } = local
  const service = tableService({ connectionString: 'UseDevelopmentStorage=true', transport })
  const write = (table: string, row: Row) => ({
    table,
    key: { partitionKey: String(row.PartitionKey), rowKey: String(row.RowKey) },
    body: JSON.stringify(row),
    etag: '*',
  })
  return {
    local,
    service,
    rows: async (table) => (await perform(service, queryEntities, { table })).entities,
    async put(table, row) {
      await perform(service, insertOrReplaceEntity, write(table, row))
    },
    async change(table, row) {
      await perform(service, mergeEntity, write(table, row))
    },
  }
}

/** A row without what the service adds. */
export function withoutSystem(row: Row | undefined): Row {
  const { 'odata.etag': _etag, Timestamp, 'Timestamp@odata.type': _type, ...rest } = row ?? {}
  return rest
}
