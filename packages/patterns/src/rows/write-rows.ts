import type { KeptTable } from '@rowkey/mapper'
import { type CallOptions, type Change, entityGroupTransaction, perform } from '@rowkey/rest'

/** The most changes of one transaction. */
const MAX_CHANGES = 100

/**
 * Sends conditional changes of one partition, up to 100 in each transaction.
 *
 * @throws the error of the first transaction that the service rejected; those before it are stored
 */
export async function writeRows(
  { service, name: table }: KeptTable,
  changes: readonly Change[],
  options: CallOptions,
): Promise<void> {
  for (let at = 0; at < changes.length; at += MAX_CHANGES) {
    const input = { table, changes: changes.slice(at, at + MAX_CHANGES) }
    await perform(service, entityGroupTransaction, input, options)
  }
}
