/** Refusals that a service gives whatever was asked, and not for long. */
export type PassingCode =
  | 'InternalError'
  | 'OperationTimedOut'
  | 'RequestTimeout'
  | 'ServerBusy'
  | 'TableBeingDeleted'
  | 'TooManyRequests'

/** The connection ends without an answer. */
export interface LostFault {
  /** Lost before the service did anything, or after it had done what was asked. */
  readonly kind: 'lost request' | 'lost response'
  /**
   * How a TCP connection ends: closed in good order, or reset.
   *
   * @defaultValue `'closed'`
   */
  readonly connection?: 'closed' | 'reset' | undefined
}

/** The service refuses. */
export interface RefusalFault {
  /** Which fault it is. */
  readonly kind: 'refusal'
  /**
   * Why, which decides the status: 408 `RequestTimeout`, 409 `TableBeingDeleted`, 429
   * `TooManyRequests`, 500 `InternalError` or `OperationTimedOut`, 503 `ServerBusy`.
   */
  readonly code: PassingCode
  /**
   * When to come back, in milliseconds: said in `retry-after`, rounded up to seconds, and exactly in
   * `x-ms-retry-after-ms`.
   *
   * @defaultValue neither header is sent
   */
  readonly retryAfter?: number | undefined
  /**
   * Whether what was asked has been done all the same.
   *
   * @defaultValue `false`
   */
  readonly applied?: boolean | undefined
}

/** The answer takes its time. */
export interface LateResponseFault {
  /** Which fault it is. */
  readonly kind: 'late response'
  /** Milliseconds for which it is held back. */
  readonly delay: number
}

/** The answer's body stops on the way, and goes on later. An answer without a body is late. */
export interface SlowBodyFault {
  /** Which fault it is. */
  readonly kind: 'slow body'
  /** Milliseconds for which nothing comes. */
  readonly delay: number
  /**
   * Bytes of the body that come before.
   *
   * @defaultValue half of them
   */
  readonly after?: number | undefined
}

/** The connection closes in the middle of the answer's body. An answer without a body is lost. */
export interface TruncatedBodyFault {
  /** Which fault it is. */
  readonly kind: 'truncated body'
  /**
   * Bytes of the body that come; fewer than it has.
   *
   * @defaultValue half of them
   */
  readonly after?: number | undefined
}

/**
 * A query's page ends early with a continuation token, as it does after five seconds of work or
 * where the service stores the next rows elsewhere.
 */
export interface CutPageFault {
  /** Which fault it is. */
  readonly kind: 'cut page'
  /** How many rows the service looks at, whether they match or not: 0 gives an empty page. */
  readonly rows: number
}

/** The service's clock is wrong: for what it accepts, and for the Date of its answer. */
export interface WrongClockFault {
  /** Which fault it is. */
  readonly kind: 'wrong clock'
  /** Milliseconds by which it is fast; below 0, by which it is slow. 100 years at most. */
  readonly offset: number
}

/** The request reaches the service twice, as one that is repeated on the way does. */
export interface DuplicateDeliveryFault {
  /** Which fault it is. */
  readonly kind: 'duplicate delivery'
  /**
   * Which of the two answers comes back.
   *
   * @defaultValue `'first'`
   */
  readonly response?: 'first' | 'second' | undefined
}

/** What may befall a request. */
export type InjectedFault =
  | CutPageFault
  | DuplicateDeliveryFault
  | LateResponseFault
  | LostFault
  | RefusalFault
  | SlowBodyFault
  | TruncatedBodyFault
  | WrongClockFault
