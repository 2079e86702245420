import { aFunction, type DeclaredOptions } from '@rowkey/odata'
import { aCount, aText, names } from '../errors/rules.ts'
import {
  declarePattern,
  type ManyWritesOptions,
  manyWritesOptions,
} from '../options/pattern-options.ts'
import type { IndexBuild, IndexFinding, IndexProgress } from './index-finding.ts'

/** The options of {@link IndexedTable.verify}, `repair`, `rebuild` and `ensure`. */
export interface UpkeepOptions<Name extends string> extends ManyWritesOptions {
  /**
   * The indexes to compare.
   *
   * @defaultValue all
   */
  readonly indexes?: readonly Name[] | undefined
  /**
   * How many requests may be pending at once: fewer while the service throttles.
   *
   * @defaultValue the level of the account, from 8 to 64
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

const commonRules = {
  ...manyWritesOptions.rules,
  indexes: names,
  concurrency: aCount,
  onFinding: aFunction,
  onProgress: aFunction,
}

export const scrubOptions: DeclaredOptions<ScrubOptions> = declarePattern<ScrubOptions>({
  ...commonRules,
  from: aText,
})

export const rebuildOptions: DeclaredOptions<RebuildOptions> = declarePattern<RebuildOptions>({
  ...commonRules,
  takeOverAfter: aCount,
})
