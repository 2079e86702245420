import type { KeptTable } from '@rowkey/mapper'
import {
  type CallOptions,
  type Change,
  changeBytes,
  changeSetLimits,
  entityGroupTransaction,
  perform,
  type TableService,
} from '@rowkey/rest'

/**
 * Sends conditional changes of one partition, in transactions that are as large as the service allows.
 *
 * @throws the error of the first transaction that the service rejected; those before it are stored
 */
export async function writeRows(
  { service, name: table }: KeptTable,
  changes: readonly Change[],
  options: CallOptions,
): Promise<void> {
  for (const part of transactionsOf(changes, service, options)) {
    await perform(service, entityGroupTransaction, { table, changes: part }, options)
  }
}

/** Cuts changes by the number and by the bytes that one transaction holds. */
function* transactionsOf(
  changes: readonly Change[],
  { endpoint, defaults }: TableService,
  { exactWrites = defaults.exactWrites }: CallOptions,
): Generator<readonly Change[], void, undefined> {
  const most = changeSetLimits(endpoint, exactWrites)
  let part: Change[] = []
  let bytes = 0
  for (const change of changes) {
    const own = changeBytes(change, endpoint)
    if (part.length > 0 && (part.length === most.changes || bytes + own > most.bytes)) {
      yield part
      part = []
      bytes = 0
    }
    part.push(change)
    bytes += own
  }
  if (part.length > 0) yield part
}
