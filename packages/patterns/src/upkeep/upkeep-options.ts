import type { CallOptions } from '@rowkey/rest'
import { CALL_OPTIONS } from '../errors/check-arguments.ts'
import type { IndexFinding, IndexProgress } from './index-finding.ts'
import type { IndexBuild } from './join-build.ts'

/** The options of {@link IndexedTable.verify}, `repair` and `rebuild`. */
export interface UpkeepOptions<Name extends string> extends CallOptions {
  /**
   * The indexes to compare.
   *
   * @defaultValue all
   */
  readonly indexes?: readonly Name[] | undefined
  /**
   * How many rows are compared at once.
   *
   * @defaultValue 8
   */
  readonly concurrency?: number | undefined
  /** Receives each difference as it is found. */
  readonly onFinding?: ((finding: IndexFinding) => void) | undefined
}

/** The options of {@link IndexedTable.verify} and `repair`. */
export interface ScrubOptions<Name extends string = string> extends UpkeepOptions<Name> {
  /** Where to continue, from the `next` of an earlier progress; the whole table when absent. */
  readonly from?: string | undefined
  /** Receives the progress after each page. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined
}

/** The options of {@link IndexedTable.rebuild}. */
export interface RebuildOptions<Name extends string = string> extends UpkeepOptions<Name> {
  /** Receives the progress of all builders after each range of this one. */
  readonly onProgress?: ((build: IndexBuild) => void) | undefined
  /**
   * How many rows a builder takes at once, from 1 to 1,000.
   *
   * @defaultValue 100
   */
  readonly rangeSize?: number | undefined
  /**
   * Milliseconds after which other builders take over the range of a builder that does not report. Make it longer than a
   * range takes.
   *
   * @defaultValue `30_000`
   */
  readonly takeOverAfter?: number | undefined
  /**
   * Whether to begin anew, also when an unfinished rebuild of these indexes is stored. Builders of that rebuild then end
   * with `IndexStateChanged`.
   *
   * @defaultValue `false`
   */
  readonly restart?: boolean | undefined
}

/** The names of {@link ScrubOptions}. */
export const SCRUB_OPTIONS: readonly string[] = [
  ...CALL_OPTIONS,
  'indexes',
  'concurrency',
  'from',
  'onFinding',
  'onProgress',
]
/** The names of {@link RebuildOptions}. */
export const REBUILD_OPTIONS: readonly string[] = [
  ...CALL_OPTIONS,
  'indexes',
  'concurrency',
  'onFinding',
  'onProgress',
  'rangeSize',
  'takeOverAfter',
  'restart',
]
