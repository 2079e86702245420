import type { KeptTable } from '@rowkey/mapper'
import { keyOfRaw } from '@rowkey/odata'
import { type CallOptions, deleteEntityIfExists, perform } from '@rowkey/rest'
import { isUnsettled, retryConflicts } from '../conflicts/retry-conflicts.ts'
import { OWNER } from '../definitions/index-checks.ts'
import { removing, storeTogether } from '../rows/changes.ts'
import { beginningFilter } from '../rows/row-filter.ts'
import { scanPages } from '../rows/scan-rows.ts'
import { etagOf } from '../rows/stored-row.ts'
import { transactionsOf } from '../rows/transactions-of.ts'

/**
 * Deletes all entries of an index that no program keeps any more, in transactions. It deletes them by their ETags, so a request that
 * arrives late deletes no entry of another index that got the key since.
 *
 * @param table - the table of the entries
 * @param beginning - what their RowKeys begin with
 * @param isAbandoned - tells, before the entries of each page are deleted, whether that is still so
 */
export async function removeEntries(
  table: KeptTable,
  beginning: string,
  isAbandoned: () => Promise<boolean>,
  options: CallOptions,
): Promise<void> {
  const remove = async (call: CallOptions): Promise<void> => {
    const select = ['PartitionKey', 'RowKey', OWNER]
    for await (const page of scanPages(table, beginningFilter(beginning), call, select)) {
      const entries = page.filter((raw) => OWNER in raw)
      if (entries.length > 0 && !(await isAbandoned())) return
      const groups = entries.map((raw) => ({
        changes: [removing(table.name, keyOfRaw(raw), etagOf(raw))],
      }))
      for (const part of transactionsOf(groups, table.service, call)) {
        const together = part.flatMap(({ changes }) => changes)
        if (await storeTogether(table, together, call)) continue
        // Another program has removed some of them already.
        for (const { input } of together) {
          await perform(table.service, deleteEntityIfExists, input, call)
        }
      }
    }
  }
  await retryConflicts(table.service, remove, options, isUnsettled)
}
