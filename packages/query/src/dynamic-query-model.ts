import { checkPropertyName } from '@rowkey/odata'
import type { DynamicQueryModel, QueryColumn } from './query-model.ts'

const systemColumns: ReadonlyMap<string, QueryColumn> = new Map(
  (
    [
      { property: 'partitionKey', name: 'PartitionKey', type: 'String' },
      { property: 'rowKey', name: 'RowKey', type: 'String' },
      { property: 'timestamp', name: 'Timestamp', type: 'DateTime' },
    ] satisfies readonly QueryColumn[]
  ).flatMap((column) => [
    [column.property, column],
    [column.name, column],
  ]),
)

/**
 * The model of a table whose entities nobody declared.
 *
 * `partitionKey`, `rowKey` and `timestamp` are the system properties (their stored spelling works
 * too); every other name is itself. Types come from the operands: a whole number is an Int32, a
 * string is a String. An `EntityProperty` operand says another type. A stored property that is
 * really called `timestamp` in lower case can be reached by a filter node:
 * `comparison('timestamp', 'eq', literalOf(5))`.
 *
 * @param name - the table's name, for messages
 * @returns a model that knows every legal property name; others throw PropertyNameError
 *
 * @example
 * ```ts
 * const query = queryOf(dynamicQueryModel('people')).where({ partitionKey: 'Smith', age: gt(30) })
 * query.compile().filter // PartitionKey eq 'Smith' and age gt 30
 * ```
 */
export function dynamicQueryModel(name: string): DynamicQueryModel {
  return Object.freeze({ name, dynamic: true, column: dynamicColumn })
}

function dynamicColumn(property: string): QueryColumn {
  const system = systemColumns.get(property)
  if (system !== undefined) return system
  // A name goes into the filter as it is, so one like `a eq 1 or b` must never get there.
  checkPropertyName(property)
  return { property, name: property, type: undefined }
}
