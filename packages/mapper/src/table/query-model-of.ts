import type { QueryColumn, QueryModel } from '@rowkey/query'
import type { EntityModel } from '../model/entity-model.ts'

const models = new WeakMap<object, QueryModel>()

/** What a query must know of a mapped class; made at the first call. */
export function queryModelOf(model: EntityModel<object>): QueryModel {
  let queryModel = models.get(model)
  if (queryModel === undefined) {
    queryModel = buildQueryModel(model)
    models.set(model, queryModel)
  }
  return queryModel
}

function buildQueryModel(model: EntityModel<object>): QueryModel {
  const columns = new Map<string, QueryColumn>()
  for (const column of [...systemColumns(model), ...model.columns]) {
    columns.set(column.property, column)
  }
  return Object.freeze({
    name: model.class.name,
    properties: Object.freeze([...columns.keys()]),
    column: (property: string) => columns.get(property),
  })
}

/** The columns of the key and the Timestamp. An ETag cannot be asked for. */
function systemColumns({ partitionKey, rowKey, timestamp }: EntityModel<object>): QueryColumn[] {
  const columns: QueryColumn[] = [
    { property: partitionKey, name: 'PartitionKey', type: 'String' },
    { property: rowKey, name: 'RowKey', type: 'String' },
  ]
  if (timestamp !== undefined) {
    columns.push({ property: timestamp, name: 'Timestamp', type: 'DateTime' })
  }
  return columns
}
