import type { Account, EntityModel } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'

/** A table of a model. */
export interface ModelTable {
  readonly model: EntityModel<object, object, object>
  readonly account: Account
  /** The name of the table. */
  readonly name: string
}

/**
 * Reads the entities of a partition at the primary location, without the rows that any declaration keeps beside them.
 *
 * @param table - the table
 * @param partition - the properties of the PartitionKey; others are ignored
 */
export function partitionEntities(
  { model, account, name }: ModelTable,
  partition: object,
  options: CallOptions,
): AsyncGenerator<object, void, undefined> {
  const names = model.partitionKey.properties
  const where = Object.fromEntries(names.map((each) => [each, Reflect.get(partition, each)]))
  const query = account.table(model, name).query()
  // A model has the properties of its PartitionKey.
  const all = query.where(where as never).allowPartitionScan()
  return all.rows({ ...options, locationMode: 'primaryOnly' })
}
