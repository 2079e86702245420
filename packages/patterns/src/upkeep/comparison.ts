import { type KeptTable, requestsInOrder } from '@rowkey/mapper'
import type { CallOptions } from '@rowkey/rest'
import type { EntityIndex } from '../definitions/index-entry.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import type { IndexFinding } from './index-finding.ts'

/** How the rows of a table are compared with their entries. */
export interface Scrub {
  readonly indexes: readonly EntityIndex[]
  /** Whether differences are repaired. */
  readonly repair: boolean
  /** How many requests may be pending at once. */
  readonly concurrency: number | undefined
  readonly options: CallOptions
  /** Called between two pieces of work, so that a long build can say that its builder lives. */
  readonly alive: () => Promise<void>
}

/** A part of a table that was compared. */
export interface ComparedPart {
  /** How many rows were compared with their entries. */
  readonly rows: number
  /** How many entries were compared with their rows. */
  readonly entries: number
  readonly findings: readonly IndexFinding[]
  /** Where the work continues; `undefined` at the end. */
  readonly next: string | undefined
}

/** Compares all rows of a table with their entries, and all entries with their rows, from a place on. */
export type Comparison = (scrub: Scrub, from: string | undefined) => AsyncGenerator<ComparedPart>

/** Compares items, as many at a time as the account allows, and returns what is wrong. */
export async function findAll<Item>(
  { service }: KeptTable,
  items: readonly Item[],
  compare: (item: Item, options: CallOptions) => Promise<readonly IndexFinding[]>,
  { concurrency, options, alive }: Scrub,
): Promise<readonly IndexFinding[]> {
  const findings: IndexFinding[] = []
  for await (const found of requestsInOrder(service, items, compare, { concurrency, options })) {
    findings.push(...found)
    await alive()
  }
  return findings
}

/** Makes the error for a `from` that no run over the same indexes returned. */
export function invalidFrom(from: string): Error {
  return invalidPatternOption(
    `from must be the next of an earlier run over the same indexes; got ${JSON.stringify(from)}.`,
  )
}
