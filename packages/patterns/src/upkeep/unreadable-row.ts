import { keyOfRaw, type RawEntity } from '@rowkey/odata'
import { readable, Unreadable } from '../rows/partition-rows.ts'
import type { IndexFinding } from './index-finding.ts'

/** The part of an index that makes an entry of a row. */
interface EntryMaker {
  readonly name: string
  entryOf(row: RawEntity): unknown
}

/** The indexes of a model, by whether they can have an entry of one row. */
interface SplitByRow<Index> {
  /** The indexes that can have an entry of the row. */
  readonly readable: readonly Index[]
  /** A finding for each of the others. */
  readonly unreadable: readonly IndexFinding[]
}

/**
 * Separates the indexes that can have an entry of a row from the others. A program without the model may
 * have written a row that the model cannot read, or a value that no key can hold.
 *
 * @param indexes - the indexes
 * @param raw - the row as it is stored
 */
export function splitByRow<Index extends EntryMaker>(
  indexes: readonly Index[],
  raw: RawEntity,
): SplitByRow<Index> {
  const row = keyOfRaw(raw)
  const made = indexes.map((index) => ({ index, entry: readable(row, () => index.entryOf(raw)) }))
  return {
    readable: made.flatMap(({ index, entry }) => (entry instanceof Unreadable ? [] : index)),
    unreadable: made.flatMap(({ index: { name }, entry }) =>
      entry instanceof Unreadable ? { ...entry.finding, index: name, entry: undefined } : [],
    ),
  }
}
