import { invalidOption } from '@rowkey/odata'
import { closedAccountError } from '../http/transport-errors.ts'

/** One call of the caller's, as its account counts it. The calls within it have the same. */
export interface Whole {
  /** How many parts of it are pending: its requests, and the calls that make several. */
  pending: number
}

/** Counts the pending calls of an account, so that closing the account can wait for them. */
export class OpenCalls {
  /** The call that each context records. */
  readonly #recorded = new WeakMap<object, Whole>()
  readonly #listeners = new Set<() => void>()
  #pending = 0
  #isStopped = false
  #draining: Promise<void> | undefined
  #drained: (() => void) | undefined

  /**
   * Begins a part of a call. While the account is closing, only a call that is pending may begin another part.
   *
   * @param whole - the call
   * @throws TransportError (`AccountClosed`) when the account is closing
   */
  enter(whole: Whole): void {
    if (!this.#admits(whole)) throw closedAccountError()
    whole.pending++
    this.#pending++
  }

  /** Ends a part of a call. */
  leave(whole: Whole): void {
    whole.pending--
    this.#pending--
    this.#settle()
  }

  /**
   * Binds a context to a call.
   *
   * @throws InputError (`InvalidOptionValue`) for a context that records another call: mixed attempts would say nothing
   * about either
   */
  record(context: object, whole: Whole): void {
    const recorded = this.#recorded.get(context)
    if (recorded === undefined) this.#recorded.set(context, whole)
    else if (recorded !== whole) {
      throw invalidOption(
        'context records another call already. Make a new OperationContext for each call, or give one to the account.',
        'context',
      )
    }
  }

  /** Rejects further calls, and waits until all pending calls have ended. */
  drain(): Promise<void> {
    this.#draining ??= new Promise((resolve) => {
      this.#drained = resolve
    })
    this.#settle()
    return this.#draining
  }

  /** Rejects further calls. Ends the wait of {@link OpenCalls.drain}, because the pending calls are about to be cancelled. */
  stop(): void {
    this.#isStopped = true
    for (const listener of this.#listeners) listener()
    this.#settle()
  }

  /**
   * Calls a listener when the pending calls are about to be cancelled; at once when the call cannot begin another part.
   *
   * @param whole - the call
   * @param listener - may be called several times
   * @returns a function that removes the listener
   */
  whenStopped(whole: Whole, listener: () => void): () => void {
    if (!this.#admits(whole)) listener()
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #admits(whole: Whole): boolean {
    if (this.#isStopped) return false
    return this.#draining === undefined || whole.pending > 0
  }

  #settle(): void {
    if (this.#pending === 0 || this.#isStopped) this.#drained?.()
  }
}
