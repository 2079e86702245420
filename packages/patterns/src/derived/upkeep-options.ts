import { aFunction, type DeclaredOptions } from '@rowkey/odata'
import { aCount, aText, names } from '../errors/rules.ts'
import {
  declarePattern,
  type ManyWritesOptions,
  manyWritesOptions,
} from '../options/pattern-options.ts'
import type { DerivedFinding, DerivedProgress } from './compare.ts'

/** The options of `build` of indexes, sums and copies. */
export interface BuildOptions<Name extends string = string> extends ManyWritesOptions {
  /**
   * The names of those that are meant.
   *
   * @defaultValue all; `build` leaves out those that were dropped
   */
  readonly only?: readonly Name[] | undefined
  /**
   * How many requests may be pending at once: fewer while the service throttles.
   *
   * @defaultValue the level of the account, from 8 to 64
   */
  readonly concurrency?: number | undefined
  /** Receives each difference as it is found. */
  readonly onFinding?: ((finding: DerivedFinding) => void) | undefined
  /** Receives the progress after each part of the table. */
  readonly onProgress?: ((progress: DerivedProgress) => void) | undefined
  /**
   * Milliseconds after which another program takes over from a builder that does not report. Make it longer than a page of rows takes.
   *
   * @defaultValue `30_000`
   */
  readonly takeOverAfter?: number | undefined
}

/** The options of `verify` and `repair` of indexes, sums and copies. */
export interface ScrubOptions<Name extends string = string>
  extends Omit<BuildOptions<Name>, 'takeOverAfter'> {
  /** Where to continue, from the `next` of an earlier progress; the whole table when absent. */
  readonly from?: string | undefined
}

const commonRules = {
  ...manyWritesOptions.rules,
  only: names,
  concurrency: aCount,
  onFinding: aFunction,
  onProgress: aFunction,
}

export const scrubOptions: DeclaredOptions<ScrubOptions> = declarePattern<ScrubOptions>({
  ...commonRules,
  from: aText,
})

export const buildOptions: DeclaredOptions<BuildOptions> = declarePattern<BuildOptions>({
  ...commonRules,
  takeOverAfter: aCount,
})
