import { sealOf } from './sealed-text.ts'

/**
 * What all records but this one add up to. Each commit writes it with what it changes, so that a
 * record which is lost or comes back is missed, as one which is changed is by its own checksum.
 */
export interface Totals {
  /** How many commits there have been. */
  readonly commits: number
  /** How many records there are. */
  readonly records: number
  /** The sum of the checksums of all records, modulo 2^32. */
  readonly sum: number
}

/** The totals of a store without records. */
export const NO_TOTALS: Totals = { commits: 0, records: 0, sum: 0 }

/** The totals as the text of their record. */
export function printTotals({ commits, records, sum }: Totals): string {
  return JSON.stringify({ commits, records, sum })
}

/** The totals from the text of their record. */
export function parseTotals(text: string): Totals {
  return JSON.parse(text)
}

/** Totals after one record took the place of another; either may be absent. */
export function withRecord(
  totals: Totals,
  before: string | undefined,
  after: string | undefined,
): Totals {
  const added = after === undefined ? 0 : sealOf(after)
  const removed = before === undefined ? 0 : sealOf(before)
  return {
    commits: totals.commits,
    records: totals.records + Number(after !== undefined) - Number(before !== undefined),
    sum: (totals.sum + added - removed) >>> 0,
  }
}
