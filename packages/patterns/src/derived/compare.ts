import type { KeptTable } from '@rowkey/mapper'
import type { EntityKey, RowkeyError } from '@rowkey/odata'
import type { CallOptions } from '@rowkey/rest'
import { invalidPatternOption } from '../errors/codes.ts'
import type { Derived } from './definition.ts'

/** One difference between rows and what is derived from them. */
export interface DerivedFinding {
  /** The name of the index, the sum or the copies. */
  readonly name: string
  /**
   * What is wrong:
   *
   * - `missing`: the row has no entry
   * - `stale`: the entry, the group of the sum or the copies do not have the values that follow from the rows
   * - `dangling`: the entry has no row, or the row has another entry
   * - `duplicate`: the index is unique, and its entry belongs to another row
   * - `unreadable`: the model cannot read the row, or no key can hold its values; or another program changed a kept row. `error` says why
   */
  readonly kind: 'missing' | 'stale' | 'dangling' | 'duplicate' | 'unreadable'
  /** The row; `undefined` for a group of a sum. */
  readonly row: EntityKey | undefined
  /** The entry of the index or the group of the sum; `undefined` for copies, and for an unreadable row. */
  readonly kept: EntityKey | undefined
  /** Why a row is unreadable. */
  readonly error?: RowkeyError | undefined
  /** The values of a group as they are stored. */
  readonly stored?: Summary | undefined
  /** The values of a group that follow from the rows. */
  readonly expected?: Summary | undefined
  /**
   * Whether the difference was repaired. A duplicate cannot be: change one of the two rows. An unreadable entity cannot be, either: mend
   * or delete it.
   */
  readonly repaired: boolean
}

/** The values of one group of a summary. */
export interface Summary<Sums extends object = Readonly<Record<string, number | bigint>>> {
  /** How many entities count. */
  readonly count: number
  /** The sum of each property: a bigint for bigints. */
  readonly sums: Sums
}

/** How far `verify`, `repair` or `build` is. */
export interface DerivedProgress {
  /** How many rows were compared. */
  readonly rows: number
  /** How many kept rows were compared with them: entries of indexes, groups of sums. */
  readonly kept: number
  /** How many differences were found. */
  readonly found: number
  /** The first 100 of them. */
  readonly findings: readonly DerivedFinding[]
  /** How many of them were repaired. */
  readonly repaired: number
  /** Where a later run continues: pass it as `from`. `undefined` at the end. */
  readonly next: string | undefined
}

/** A part of a table that was compared. */
export interface ComparedPart extends Pick<DerivedProgress, 'rows' | 'kept' | 'next'> {
  readonly findings: readonly DerivedFinding[]
}

/** How the rows of a table are compared with what is derived from them. */
export interface Scrub<Kept extends Derived = Derived> {
  /** The table of the rows. */
  readonly table: KeptTable
  readonly definitions: readonly Kept[]
  /** Whether differences are repaired. */
  readonly repair: boolean
  /** How many requests may be pending at once. */
  readonly concurrency: number | undefined
  readonly options: CallOptions
  /** Called between two pieces of work, so that a long build can say that its builder lives. */
  readonly alive: () => Promise<void>
}

/**
 * Compares all rows of a table with what is derived from them, from a place on. Writers may go on meanwhile: a difference counts when it
 * is found again, and what it follows from has not changed in between.
 */
export type Comparison<Kept extends Derived = Derived> = (
  scrub: Scrub<Kept>,
  from: string | undefined,
) => AsyncIterable<ComparedPart>

/** Before the first part. */
export const NOTHING: DerivedProgress = Object.freeze({
  rows: 0,
  kept: 0,
  found: 0,
  findings: [],
  repaired: 0,
  next: undefined,
})

/** The most findings that a progress shows. */
const MAX_FINDINGS = 100

/** Adds a part to what was found so far. */
export function withPart(sum: DerivedProgress, part: ComparedPart): DerivedProgress {
  const { rows, kept, findings, next } = part
  return {
    next,
    rows: sum.rows + rows,
    kept: sum.kept + kept,
    found: sum.found + findings.length,
    findings: [...sum.findings, ...findings].slice(0, MAX_FINDINGS),
    repaired: sum.repaired + findings.filter(({ repaired }) => repaired).length,
  }
}

/** Makes the error for a `from` that no run over the same definitions returned. */
export function invalidFrom(from: string): Error {
  return invalidPatternOption(
    `from must be the next of an earlier run over the same definitions; got ${JSON.stringify(from)}.`,
  )
}
