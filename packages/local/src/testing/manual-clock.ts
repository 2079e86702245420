import { invalidOption } from '../errors/invalid-option.ts'

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
  throw invalidOption({ name: `${name} of manualClock`, value, rule: 'milliseconds' })
}
