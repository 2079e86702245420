import {
  type CallOptions,
  type ChangeSet,
  entityGroupTransaction,
  perform,
  type TableService,
  type WriteResult,
} from '@rowkey/rest'

/** Makes the changes of one partition in one request: all are applied, or none. */
export function performChangeSet(
  service: TableService,
  changeSet: ChangeSet,
  options: CallOptions,
): Promise<WriteResult[]> {
  return perform(service, entityGroupTransaction, changeSet, options)
}
