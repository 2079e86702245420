import type { QueryOptions } from '../query-source.ts'

/** The options of requests that can be stopped together. */
export interface Stoppable<Options> {
  /** The options given, with a signal that aborts when theirs does, and by {@link stop}. */
  readonly options: Options & { readonly signal: AbortSignal }
  /** Aborts what is under way. What it rejects with is nobody's concern any more. */
  stop(): void
}

/** Makes options whose requests end when their result is no longer wanted. */
export function stoppable<Options extends QueryOptions>(options: Options): Stoppable<Options> {
  const controller = new AbortController()
  const { signal } = options
  const both = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
  return { options: { ...options, signal: both }, stop: () => controller.abort() }
}
