import { EVERYTHING } from '../key-range.ts'
import { droppedKey, rowRange } from './record-key.ts'
import type { Records } from './records.ts'

/** Rows that are removed at once, between the writes of others. */
const REMOVED_AT_ONCE = 500

/**
 * Removes the rows of a dropped table, of which nobody sees anything since it was dropped.
 *
 * @param table - the table's number
 * @param signal - ends the work early; whoever opens the store next goes on with it
 */
export async function removeRows(
  records: Records,
  table: number,
  signal: AbortSignal,
): Promise<void> {
  const range = rowRange(table, EVERYTHING)
  while (!signal.aborted) {
    const keys: string[] = []
    await records.scan(range, (_text, key) => keys.push(key) < REMOVED_AT_ONCE)
    await records.commit((draft) => {
      for (const key of keys) draft.delete(key)
      if (keys.length < REMOVED_AT_ONCE) draft.delete(droppedKey(table))
    })
    if (keys.length < REMOVED_AT_ONCE) return
  }
}
