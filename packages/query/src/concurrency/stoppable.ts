/** Options of requests, as far as they can be cancelled. */
export interface CancellableOptions {
  /** Cancels the request when it aborts. */
  readonly signal?: AbortSignal | undefined
}

/** The options of requests that can be cancelled together. */
export interface Stoppable<Options> {
  /** The caller's options, with a signal that aborts when theirs does, and by {@link stop}. */
  readonly options: Options & { readonly signal: AbortSignal }
  /** Cancels the pending requests. What they reject with is ignored. */
  stop(): void
}

/** Makes options whose requests can be cancelled when their result is no longer wanted. */
export function stoppable<Options extends CancellableOptions>(
  options: Options,
): Stoppable<Options> {
  const controller = new AbortController()
  const { signal } = options
  const both = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal
  return { options: { ...options, signal: both }, stop: () => controller.abort() }
}
