import { type DeclaredOptions, declareOptions, wholeNumber } from '@rowkey/odata'
import { type CallOptions, callOptions } from '../retry/call-options.ts'

/** How long each marker stays at least, in milliseconds: longer than an attempt may be pending. */
export const LEAST_AGE: number = 10 * 60 * 1000

/** The options of a sweep. */
export interface SweepOptions extends CallOptions {
  /**
   * Milliseconds since a marker was stored, by the service's clock: at least 10 minutes. A younger
   * marker stays. Longer than any attempt may be pending, and than a process repeats a write with its
   * `idempotencyKey`.
   *
   * @defaultValue 24 hours
   */
  readonly olderThan?: number | undefined
}

/** The rules of {@link SweepOptions}: a pending attempt must meet its marker. */
export const sweepOptions: DeclaredOptions<SweepOptions> = declareOptions<SweepOptions>({
  ...callOptions.rules,
  olderThan: wholeNumber(LEAST_AGE),
})
