/** A moment at which several calls must be over together. */
export interface Deadline {
  /** Milliseconds since 1970, UTC, on the service's clock. */
  readonly endsAt: number
}

/**
 * The moment at which a call must be over.
 *
 * @param deadline - milliseconds from now, or a moment
 * @param now - milliseconds since 1970, UTC
 * @returns `undefined` when there is no such moment
 */
export function endOf(deadline: number | Deadline | undefined, now: number): number | undefined {
  return typeof deadline === 'number' ? now + deadline : deadline?.endsAt
}
