import type { KeptTable } from '@rowkey/mapper'
import type { BuildLog, BuildRecord, BuildView } from '../catalogue/build-log.ts'
import type { CataloguedIndex } from '../catalogue/index-catalogue.ts'
import { patternsInputError } from '../errors/codes.ts'
import { hashOf } from '../rows/hash-of.ts'
import { BEGINNING } from './scrub-table.ts'

/** An index as far as it is compared and built. */
export interface BuiltIndex extends CataloguedIndex {
  readonly name: string
}

/** Milliseconds after which a build that was stopped is not continued: other programs may have written the table since. */
const LONGEST_BREAK = 24 * 60 * 60_000

/** The indexes that a builder builds, and how. */
interface BuildPlan {
  readonly indexes: readonly BuiltIndex[]
  /** The generation of the state of each index. */
  readonly generations: readonly number[]
  /** Milliseconds after which a build without news counts as abandoned. */
  readonly takeOverAfter: number
  /** Whether a stored build is ignored. */
  readonly restart: boolean
}

/**
 * Takes part in the stored build of some indexes, or begins one when it has ended, was abandoned, or began before the state of an
 * index changed.
 *
 * @param log - the build in the catalogue
 * @param plan - the indexes
 * @param table - their table
 * @throws InputError (`IndexBuildDiffers`)
 */
export async function joinBuild(
  log: BuildLog,
  plan: BuildPlan,
  { service, name }: KeptTable,
): Promise<BuildView> {
  let replaced: string | undefined
  for (;;) {
    const stored = await log.read()
    const now = service.now()
    const begun = newBuild(plan, service.defaults.newId(), now)
    // A build that another builder began since is not the one to replace.
    replaced ??= stored?.build.id
    const isReplaced = plan.restart && stored?.build.id === replaced
    if (stored !== undefined && !isReplaced && stored.build.endedAt === undefined) {
      const { stamp, generations, lastSeenAt } = stored.build
      const isOld = now >= lastSeenAt + LONGEST_BREAK
      const isCurrent = !isOld && generations.join() === begun.generations.join()
      if (isCurrent && stamp === begun.stamp) return stored
      if (isCurrent && now < lastSeenAt + plan.takeOverAfter) throw differs(name, stored.build)
    }
    const view = await log.begin(stored, begun)
    if (view !== undefined) return view
  }
}

function newBuild({ indexes, generations }: BuildPlan, id: string, now: number): BuildRecord {
  return {
    id,
    indexes: indexes.map(({ name }) => name),
    stamp: hashOf(indexes.map(({ declaration }) => declaration).join('\n')),
    generations,
    startedAt: now,
    lastSeenAt: now,
    next: BEGINNING,
    ranges: 0,
    rangesDone: 0,
    rows: 0,
    entries: 0,
    found: 0,
    repaired: 0,
    duplicates: [],
    unreadable: [],
  }
}

function differs(table: string, { indexes, lastSeenAt }: BuildRecord): Error {
  return patternsInputError({
    code: 'IndexBuildDiffers',
    message: `Another program rebuilds ${indexes.join(', ')} of table ${table} by another declaration, and worked on it at ${new Date(lastSeenAt).toISOString()}. Stop that program first, or pass restart: true.`,
  })
}

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
