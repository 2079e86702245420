import { type Rule, rule, wholeNumber } from '@rowkey/odata'

/** A moment by which several calls must be done together. */
export interface Deadline {
  /** Milliseconds since 1970, UTC, on this machine's clock. */
  readonly endsAt: number
}

/** The options of a call that set its end. */
interface DeadlineOptions {
  /** Milliseconds for the whole call, or a moment that several calls share. */
  readonly deadline?: number | Deadline | undefined
}

/** The part of a service's defaults that its deadlines depend on. */
interface DeadlineDefaults {
  /** Milliseconds for a whole call; `undefined` for no limit. */
  readonly deadline: number | undefined
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
}

/**
 * Returns the moment by which a call must be done; `undefined` without a deadline.
 *
 * @param options - the options of the call
 * @param defaults - of its service
 */
export function endOf(
  { deadline }: DeadlineOptions,
  defaults: DeadlineDefaults,
): number | undefined {
  if (deadline instanceof CommonDeadline) return deadline.start(defaults)
  const given = deadline ?? defaults.deadline
  return typeof given === 'number' ? defaults.now() + given : given?.endsAt
}

/**
 * Returns milliseconds until the deadline of a pending call; `Infinity` without one, or when it has not begun.
 *
 * @param options - the options of the call
 * @param clock - of its service
 *
 * @example
 * ```ts
 * const options = service.withDeadline({ deadline: 2000 })
 * timeLeft(options, service) // at most 2000
 * ```
 */
export function timeLeft(
  { deadline }: { readonly deadline?: number | Deadline | undefined },
  clock: { readonly now: () => number },
): number {
  return typeof deadline === 'object' ? deadline.endsAt - clock.now() : Number.POSITIVE_INFINITY
}

/**
 * Starts the deadline of some options, for several calls that share it.
 *
 * @param options - the options of a call
 * @param defaults - of its service
 */
export function withDeadline<Options extends DeadlineOptions>(
  options: Options,
  defaults: DeadlineDefaults,
): Options {
  const endsAt = endOf(options, defaults)
  return endsAt === undefined ? options : { ...options, deadline: { endsAt } }
}

/**
 * A deadline that several calls share, and that starts with the first of them: for code that does not know the service.
 */
export class CommonDeadline implements Deadline {
  /** The deadline of the options. */
  readonly given: number | Deadline | undefined
  #endsAt: number | undefined
  #isStarted = false

  /** @param given - the deadline of the options; that of the service when absent */
  constructor(given: number | Deadline | undefined) {
    this.given = given
  }

  get endsAt(): number {
    return this.#endsAt ?? Number.POSITIVE_INFINITY
  }

  /** Returns when it ends; starts it first, if this is the first call. */
  start(defaults: DeadlineDefaults): number | undefined {
    if (!this.#isStarted) this.#endsAt = endOf({ deadline: this.given }, defaults)
    this.#isStarted = true
    return this.#endsAt
  }
}

const milliseconds = wholeNumber()

/** A shared moment may be in the past; the call then reports that itself. */
function isDeadline(value: unknown): boolean {
  if (value instanceof CommonDeadline) return value.given === undefined || isDeadline(value.given)
  const { endsAt } = Object(value) as Partial<Deadline>
  return (typeof endsAt === 'number' && !Number.isNaN(endsAt)) || milliseconds.accepts(value)
}

/** The rule of a deadline. */
export const deadlineRule: Rule = rule(milliseconds.text, isDeadline)
