/** Rejections that are temporary, and can meet any request. */
export type PassingCode =
  | 'InternalError'
  | 'OperationTimedOut'
  | 'RequestTimeout'
  | 'ServerBusy'
  | 'TableBeingDeleted'
  | 'TooManyRequests'

/** Closes the connection without a response. */
export interface LostFault {
  /** Before the service does anything, or after it has executed the request. */
  readonly kind: 'lost request' | 'lost response'
  /**
   * How the TCP connection ends: closed in order, or reset.
   *
   * @defaultValue `'closed'`
   */
  readonly connection?: 'closed' | 'reset' | undefined
}

/** Rejects the request. */
export interface RejectionFault {
  /** The kind of fault. */
  readonly kind: 'rejection'
  /**
   * The error code, which decides the status: 408 `RequestTimeout`, 409 `TableBeingDeleted`, 429
   * `TooManyRequests`, 500 `InternalError` or `OperationTimedOut`, 503 `ServerBusy`.
   */
  readonly code: PassingCode
  /**
   * When to retry, in milliseconds. `x-ms-retry-after-ms` has this value; `retry-after` has it
   * rounded up to seconds.
   *
   * @defaultValue neither header is sent
   */
  readonly retryAfter?: number | undefined
  /**
   * Whether the service has executed the request despite the rejection.
   *
   * @defaultValue `false`
   */
  readonly applied?: boolean | undefined
}

/** Delays the response. */
export interface LateResponseFault {
  /** The kind of fault. */
  readonly kind: 'late response'
  /** The delay in milliseconds. */
  readonly delay: number
}

/**
 * Stops in the middle of the response body, and continues later. A response without a body is late.
 */
export interface SlowBodyFault {
  /** The kind of fault. */
  readonly kind: 'slow body'
  /** The pause in milliseconds. */
  readonly delay: number
  /**
   * Bytes of the body before the pause.
   *
   * @defaultValue half of the body
   */
  readonly after?: number | undefined
}

/** Closes the connection in the middle of the response body. A response without a body is lost. */
export interface TruncatedBodyFault {
  /** The kind of fault. */
  readonly kind: 'truncated body'
  /**
   * Bytes of the body to send; at most all but one.
   *
   * @defaultValue half of the body
   */
  readonly after?: number | undefined
}

/**
 * Ends a page of a query early with a continuation token. The service does so after five seconds of
 * work, and where the next rows are stored elsewhere.
 */
export interface CutPageFault {
  /** The kind of fault. */
  readonly kind: 'cut page'
  /** How many rows the service reads, whether they match or not: 0 gives an empty page. */
  readonly rows: number
}

/**
 * Sets the service's clock wrong, both for the dates it accepts and for the `Date` of the response.
 */
export interface WrongClockFault {
  /** The kind of fault. */
  readonly kind: 'wrong clock'
  /** How fast the clock is, in milliseconds; negative when it is slow. At most 100 years. */
  readonly offset: number
}

/** Delivers the request to the service twice, as a network may. */
export interface DuplicateDeliveryFault {
  /** The kind of fault. */
  readonly kind: 'duplicate delivery'
  /**
   * Which of the two responses the client receives.
   *
   * @defaultValue `'first'`
   */
  readonly response?: 'first' | 'second' | undefined
}

/** A fault that can be injected into a request. */
export type InjectedFault =
  | CutPageFault
  | DuplicateDeliveryFault
  | LateResponseFault
  | LostFault
  | RejectionFault
  | SlowBodyFault
  | TruncatedBodyFault
  | WrongClockFault
