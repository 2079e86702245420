import { type CallOptions, checkOptions } from '@rowkey/rest'
import {
  CALL_OPTIONS,
  checkCount,
  checkFunction,
  checkNames,
  checkOptional,
} from '../errors/check-arguments.ts'
import type { IndexBuild, IndexFinding, IndexProgress } from './index-finding.ts'

/** The options of {@link IndexedTable.verify}, `repair`, `rebuild` and `ensure`. */
export interface UpkeepOptions<Name extends string> extends CallOptions {
  /**
   * The indexes to compare.
   *
   * @defaultValue all
   */
  readonly indexes?: readonly Name[] | undefined
  /**
   * How many requests may be pending at once.
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
  /** Receives the progress after each part of the table. */
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined
}

/** The options of {@link IndexedTable.rebuild} and `ensure`. */
export interface RebuildOptions<Name extends string = string> extends UpkeepOptions<Name> {
  /** Receives the progress after each part of the table. */
  readonly onProgress?: ((build: IndexBuild) => void) | undefined
  /**
   * Milliseconds after which another program takes over the work of a builder that does not report. Make it longer than a
   * page of rows takes.
   *
   * @defaultValue `30_000`
   */
  readonly takeOverAfter?: number | undefined
}

const COMMON = [...CALL_OPTIONS, 'indexes', 'concurrency', 'onFinding', 'onProgress']
/** The names of {@link ScrubOptions}. */
export const SCRUB_OPTIONS: readonly string[] = [...COMMON, 'from']
/** The names of {@link RebuildOptions}. */
export const REBUILD_OPTIONS: readonly string[] = [...COMMON, 'takeOverAfter']

/** @throws InputError for options that a build does not have */
export function checkRebuild(options: RebuildOptions, place: string): void {
  checkOptions(options, REBUILD_OPTIONS, place)
  checkUpkeep(options, place)
  checkOptional(options.takeOverAfter, checkCount, `takeOverAfter of ${place}`)
}

/** @throws InputError for options that have wrong values */
export function checkUpkeep(
  { indexes, concurrency, onFinding, onProgress }: ScrubOptions | RebuildOptions,
  place: string,
): void {
  checkOptional(indexes, checkNames, `indexes of ${place}`)
  checkOptional(concurrency, checkCount, `concurrency of ${place}`)
  checkOptional(onFinding, checkFunction, `onFinding of ${place}`)
  checkOptional(onProgress, checkFunction, `onProgress of ${place}`)
}
