import { localInputError } from '../errors/codes.ts'

/** A clock that goes on only when it is told to: see {@link manualClock}. */
export interface ManualClock {
  /** What it shows: milliseconds since 1970, UTC. To be passed on as `now`. */
  readonly now: () => number
  /**
   * Moves it, back for a negative number.
   *
   * @param milliseconds - by how much
   */
  readonly advance: (milliseconds: number) => void
  /**
   * Waits no time, but moves the clock on as if it had. To be passed on as `sleep`, or as the
   * service's `pause`.
   *
   * @param delay - milliseconds
   */
  readonly sleep: (delay: number) => Promise<void>
}

/**
 * Makes a clock for tests, to be shared by a service and its clients, so that neither waits and both
 * agree on the time.
 *
 * @param start - what it shows at first; `@defaultValue` noon of 1 January 2026, UTC
 * @throws InputError for a moment that is none
 *
 * @example
 * ```ts
 * const clock = manualClock()
 * const local = localTableService({ now: clock.now, pause: clock.sleep })
 * const account = connect({
 *   connectionString: local.connectionString(),
 *   transport: local.transport,
 *   now: clock.now,
 *   sleep: clock.sleep,
 * })
 * clock.advance(60_000)
 * ```
 */
export function manualClock(start: number = Date.UTC(2026, 0, 1, 12)): ManualClock {
  let time = checkMilliseconds(start, 'start')
  const advance = (milliseconds: number): void => {
    time += checkMilliseconds(milliseconds, 'advance')
  }
  return {
    now: () => time,
    advance,
    sleep: async (delay) => advance(Math.max(0, delay)),
  }
}

function checkMilliseconds(value: unknown, name: string): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw localInputError({
    code: 'InvalidOptionValue',
    message: `${name} of manualClock must be milliseconds.`,
  })
}
