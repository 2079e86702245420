import type { RowTransition } from '@rowkey/mapper'
import { keptBefore } from '../rows/unreadable.ts'
import type { EntityIndex, IndexEntry } from './index-entry.ts'

/** What some writes make of one entry of an index. */
export interface EntryChange {
  readonly index: EntityIndex
  /** The entry that a row had here; `undefined` when it had another or none. */
  readonly before?: IndexEntry | undefined
  /** The entry that a row has here afterwards. */
  readonly after?: IndexEntry | undefined
  /** The row that has the entry afterwards is new. */
  readonly isNewRow?: boolean | undefined
  /** Another row that gets the same entry in the same writes: its owner. */
  readonly rival?: IndexEntry | undefined
}

/**
 * Returns what writes of one partition change in an index: one change for each entry, also when one row leaves
 * a value that another row takes.
 */
export function entryChanges(
  index: EntityIndex,
  transitions: readonly RowTransition[],
): readonly EntryChange[] {
  const changes = new Map<string, EntryChange>()
  const at = (rowKey: string): EntryChange => changes.get(rowKey) ?? { index }
  for (const { before: from, after: to } of transitions) {
    const before = keptBefore(from, (raw) => index.entryOf(raw))
    const after = to && index.entryOf(to)
    if (before !== undefined && before.body === after?.body) continue
    if (before !== undefined) {
      const { rowKey } = before.key
      changes.set(rowKey, { ...at(rowKey), before })
    }
    if (after === undefined) continue
    const { rowKey } = after.key
    const known = at(rowKey)
    const rival = known.after
    changes.set(rowKey, { ...known, after, rival, isNewRow: from === undefined })
  }
  return [...changes.values()]
}
