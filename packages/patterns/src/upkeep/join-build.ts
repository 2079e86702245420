import type { KeptTable } from '@rowkey/mapper'
import type { BuildLog, BuildRecord, BuildView } from '../catalogue/build-log.ts'
import { patternsInputError } from '../errors/codes.ts'
import { hashOf } from '../spread/bucket-of.ts'
import { BEGINNING } from './scrub-stage.ts'

/** An index as far as it is compared and built. */
export interface BuiltIndex {
  readonly name: string
  /** Everything in its declaration that its entries depend on. */
  readonly declaration: string
}

/** Milliseconds after which a build that was stopped is not continued: other programs may have written the table since. */
const LONGEST_BREAK = 24 * 60 * 60_000

/** The indexes that a builder builds, and how. */
export interface BuildPlan {
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
