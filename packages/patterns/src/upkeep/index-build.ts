import type { BuildView } from '../catalogue/build-log.ts'

/** How far a rebuild is, whichever builders do it: the catalogue holds it. */
export interface IndexBuild {
  /** The names of the indexes that are built together. */
  readonly indexes: readonly string[]
  /** When the first builder began. */
  readonly startedAt: Date
  /** When a builder last took or finished a range. */
  readonly lastSeenAt: Date
  /** When the build ended; `undefined` while rows are left. */
  readonly endedAt: Date | undefined
  /** How many ranges of rows and entries builders have taken so far. */
  readonly ranges: number
  /** How many of them are done. */
  readonly rangesDone: number
  /** How many builders have a range now. A builder that died counts until another takes its range over. */
  readonly builders: number
  /** How many rows were compared with their entries. */
  readonly rows: number
  /** How many entries were compared with their rows. */
  readonly entries: number
  /** How many differences were found. */
  readonly found: number
  /** How many of them were repaired: entries that were written or removed. */
  readonly repaired: number
  /** The indexes that stay `uniquenessPending`, because several rows share a value. */
  readonly duplicates: readonly string[]
  /** The indexes that keep their state, because a row is unreadable. */
  readonly unreadable: readonly string[]
}

/** Shows a build to a caller. */
export function toIndexBuild({ build, ranges: pending }: BuildView): IndexBuild {
  const { indexes, startedAt, lastSeenAt, endedAt, ranges, rangesDone } = build
  const { rows, entries, found, repaired, duplicates, unreadable } = build
  return {
    indexes,
    startedAt: new Date(startedAt),
    lastSeenAt: new Date(lastSeenAt),
    endedAt: endedAt === undefined ? undefined : new Date(endedAt),
    ranges,
    rangesDone,
    builders: new Set(pending.map(({ owner }) => owner)).size,
    rows,
    entries,
    found,
    repaired,
    duplicates,
    unreadable,
  }
}
