import { isRowkeyError, keyOfRaw, type RawEntity } from '@rowkey/odata'
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
 * @param row - the row as it is stored
 */
export function splitByRow<Index extends EntryMaker>(
  indexes: readonly Index[],
  row: RawEntity,
): SplitByRow<Index> {
  const findings = new Map<Index, IndexFinding>()
  for (const index of indexes) {
    try {
      index.entryOf(row)
    } catch (error) {
      if (!isRowkeyError(error)) throw error
      const { name } = index
      const finding = {
        index: name,
        kind: 'unreadable',
        entry: undefined,
        repaired: false,
      } as const
      findings.set(index, { ...finding, row: keyOfRaw(row), error })
    }
  }
  return {
    readable: indexes.filter((index) => !findings.has(index)),
    unreadable: [...findings.values()],
  }
}
