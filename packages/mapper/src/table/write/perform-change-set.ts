import {
  type CallOptions,
  type Change,
  entityGroupTransaction,
  type NamedChange,
  perform,
  type TableService,
  type WriteResult,
} from '@rowkey/rest'
import { withOperation } from './change-operations.ts'

/** The changes of one transaction. */
interface NamedChangeSet {
  readonly table: string
  readonly changes: readonly NamedChange[]
  /** What is sent after them. */
  readonly companions?: readonly Change[] | undefined
}

/** Makes the changes of one partition in one request: all are applied, or none. */
export function performChangeSet(
  service: TableService,
  { table, changes, companions = [] }: NamedChangeSet,
  options: CallOptions,
): Promise<WriteResult[]> {
  const changeSet = { table, changes: [...changes.map(withOperation), ...companions] }
  return perform(service, entityGroupTransaction, changeSet, options)
}
