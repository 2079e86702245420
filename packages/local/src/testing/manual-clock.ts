import { checkValue, rule } from '@rowkey/odata'

/** A clock that moves only on request: see {@link manualClock}. */
export interface ManualClock {
  /** Returns milliseconds since 1970, UTC. Pass it as `now`. */
  readonly now: () => number
  /**
   * Moves the clock; back with a negative number.
   *
   * @param milliseconds - how far
   */
  readonly advance: (milliseconds: number) => void
  /**
   * Moves the clock instead of waiting. Pass it as `sleep`, or as `pause` of the service.
   *
   * @param delay - milliseconds
   */
  readonly sleep: (delay: number) => Promise<void>
}

const time = rule('a number of milliseconds', Number.isFinite)

/**
 * Makes a clock for tests that a service and its clients share. Neither waits, and both have the
 * same time.
 *
 * @param start - the first time; `@defaultValue` noon of 1 January 2026, UTC
 * @throws InputError (`InvalidOptionValue`) for an invalid time
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
  let current = checkValue(start, time, 'start', 'manualClock')
  const advance = (milliseconds: number): void => {
    current += checkValue(milliseconds, time, 'advance', 'manualClock')
  }
  return {
    now: () => current,
    advance,
    sleep: async (delay) => advance(Math.max(0, delay)),
  }
}
