import { checkOptions } from '../check-options.ts'
import type { CallListener } from '../observe/call-event.ts'
import type { AttemptResult } from './attempt-result.ts'

/** What an {@link OperationContext} can be made with. */
export interface OperationContextOptions {
  /** Is told of every request, answer, retry and the end of the call, as they happen. */
  readonly onEvent?: CallListener | undefined
}

/**
 * A record of one call: every HTTP request it made. Make one for each call; when several share it,
 * their attempts are mixed.
 *
 * @example
 * ```ts
 * const context = new OperationContext()
 * await perform(service, getEntity, { table, key }, { context })
 * console.log(context.attempts.length, context.lastAttempt?.requestId)
 * ```
 */
export class OperationContext {
  /** Every attempt so far, in order. */
  readonly attempts: AttemptResult[] = []

  /** Who is told of the call's events; `undefined` when nobody is. */
  readonly onEvent: CallListener | undefined

  /**
   * @param options - who is told of the call's events
   * @throws {@link UnknownOptionError} for an option that means nothing
   */
  constructor(options: OperationContextOptions = {}) {
    checkOptions(options, ['onEvent'], 'OperationContext')
    this.onEvent = options.onEvent
  }

  /** The last attempt; `undefined` before the first one. */
  get lastAttempt(): AttemptResult | undefined {
    return this.attempts.at(-1)
  }

  /**
   * Whether what the call gave may be out of date, because the secondary answered. How far it lags
   * behind, the service's statistics say.
   */
  get mayBeStale(): boolean {
    return this.lastAttempt?.location === 'secondary'
  }
}
