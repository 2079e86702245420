/** The time, as a {@link ConcurrencyLevel} needs it. */
export interface LevelClock {
  /** Returns milliseconds. */
  now(): number
  /** Waits for a number of milliseconds. */
  sleep(delay: number): Promise<void>
}

/** Bounds of a {@link ConcurrencyLevel}. */
export interface LevelBounds {
  /** How many requests may be in flight at first. */
  readonly start: number
  /** How many may be in flight at most. */
  readonly ceiling: number
}

/** The bounds of the level of an account. */
export const ACCOUNT_BOUNDS: LevelBounds = Object.freeze({ start: 8, ceiling: 64 })

/** Milliseconds without a request after which nothing is known any more. */
const IDLE = 30_000
/** How many responses add one, before the first throttling. */
const RESPONSES_FOR_ONE = 2
/** Throttled responses of two partitions within so many milliseconds concern the account. */
const SAME_EVENT = 1_000
/** Milliseconds without a throttled response before the level passes the number that was throttled. */
const FIRST_QUIET = 1_000
const LONGEST_QUIET = 32_000
/** How many throttled partitions are remembered. */
const MOST_PARTITIONS = 256

const machineClock: LevelClock = {
  now: Date.now,
  sleep: (delay) => new Promise((resolve) => setTimeout(resolve, delay)),
}

/**
 * How many requests a run may have in flight. The level finds itself:
 *
 * - It begins at 8. When the first response takes longer than 30 ms, it adds one every 3 ms until then.
 * - Once 8 responses have come unthrottled, it adds one for two, so it grows by half in each round trip. It adds nothing while
 *   requests take more than 30 ms and three times as long as the fastest one of their run. It adds nothing that the run does not
 *   need. 64 is the ceiling.
 * - When the service throttles, it halves: once for all requests that were in flight together. From then on it adds one
 *   in each round trip, and stays below the number that was throttled. It passes that number by half after 1 second
 *   without throttling. When the service throttles then, this time doubles, up to 32 seconds.
 * - When a single partition is throttled, only the number of requests to this partition halves.
 * - After 30 seconds without a request it begins anew.
 *
 * The level belongs to an account; each run counts its own requests.
 *
 * @example
 * ```ts
 * const level = new ConcurrencyLevel()
 * for await (const found of resultsInOrder(keys, find, { level })) console.log(found)
 * ```
 */
export class ConcurrencyLevel {
  /** The time. */
  readonly clock: LevelClock
  readonly #bounds: LevelBounds
  #account: Limit
  /** Partitions that were throttled. */
  readonly #partitions = new Map<string, Limit>()
  #inFlight = 0
  #lastEnd = 0
  #isUntested = true
  /** The partition that was throttled last. */
  #hot: { readonly partition: string; readonly at: number } | undefined

  /**
   * @param clock - the time; that of this machine when absent
   * @param bounds - where the level begins and ends; equal numbers fix it, except that it halves
   */
  constructor(clock: LevelClock = machineClock, bounds: LevelBounds = ACCOUNT_BOUNDS) {
    this.clock = clock
    this.#bounds = bounds
    this.#account = new Limit(bounds.start, bounds.ceiling)
  }

  /** How many requests a run may have in flight now. */
  get current(): number {
    return this.#account.current
  }

  /** How many requests a run may ever have in flight. */
  get ceiling(): number {
    return this.#bounds.ceiling
  }

  /** Whether the level adds requests while the first response is pending. */
  get isUntested(): boolean {
    return this.#isUntested && this.current < this.ceiling
  }

  /** Adds one: the first response is still pending. */
  waited(): void {
    if (this.isUntested) this.#account.current++
  }

  /** How many requests a run may have in flight to a partition now. */
  currentOf(partition: string | undefined): number {
    const limit = partition === undefined ? undefined : this.#partitions.get(partition)
    return limit?.current ?? this.ceiling
  }

  /**
   * Begins a request.
   *
   * @param partition - the partition that it is for; `undefined` for several
   */
  begin(partition: string | undefined): RequestSlot {
    const now = this.clock.now()
    if (this.#inFlight === 0 && now - this.#lastEnd > IDLE) this.#forget()
    this.#inFlight++
    return {
      partition,
      beganAt: now,
      isThrottled: false,
      round: this.#account.round,
      partitionRound: this.#roundOf(partition),
    }
  }

  /**
   * Records that the service throttled an attempt of a request.
   *
   * @param slot - the request
   * @param inPartition - how many requests its run has in flight to its partition
   */
  throttled(slot: RequestSlot, inPartition: number): void {
    const now = this.clock.now()
    const { partition } = slot
    slot.isThrottled = true
    this.#isUntested = false
    if (partition !== undefined) this.#throttlePartition(slot, partition, { now, inPartition })
    if (slot.round === this.#account.round) {
      if (this.#concernsAccount(partition, now)) this.#account.halve(now, this.#inFlight)
      else this.#account.stay(now)
    }
    // A later attempt of the same request counts again.
    slot.round = this.#account.round
    slot.partitionRound = this.#roundOf(partition)
  }

  /**
   * Ends a request.
   *
   * @param slot - the request
   * @param needsMore - whether it succeeded as fast as others while its run waited for room
   * @param partitionNeedsMore - whether it succeeded while its run waited for room in its partition
   */
  end(slot: RequestSlot, needsMore: boolean, partitionNeedsMore: boolean): void {
    const { partition } = slot
    const now = this.clock.now()
    this.#lastEnd = now
    this.#isUntested = false
    this.#inFlight--
    if (slot.isThrottled) return
    if (needsMore) this.#account.grow(now)
    if (partitionNeedsMore && partition !== undefined) this.#partitions.get(partition)?.grow(now)
  }

  #throttlePartition(
    slot: RequestSlot,
    partition: string,
    { now, inPartition }: { readonly now: number; readonly inPartition: number },
  ): void {
    let limit = this.#partitions.get(partition)
    if (limit === undefined) {
      limit = new Limit(this.ceiling, this.ceiling)
      for (const oldest of this.#partitions.keys()) {
        if (this.#partitions.size < MOST_PARTITIONS) break
        this.#partitions.delete(oldest)
      }
      this.#partitions.set(partition, limit)
    }
    if (slot.partitionRound === limit.round) limit.halve(now, inPartition)
  }

  /** One partition alone may be hot. Two at the same time, or a request to several, concern the account. */
  #concernsAccount(partition: string | undefined, now: number): boolean {
    if (partition === undefined) return true
    const hot = this.#hot
    this.#hot = { partition, at: now }
    return hot !== undefined && hot.partition !== partition && now - hot.at <= SAME_EVENT
  }

  #roundOf(partition: string | undefined): number {
    return (partition === undefined ? undefined : this.#partitions.get(partition)?.round) ?? 0
  }

  #forget(): void {
    this.#account = new Limit(this.#bounds.start, this.#bounds.ceiling)
    this.#partitions.clear()
    this.#isUntested = true
    this.#hot = undefined
  }
}

/** A request in flight: see {@link ConcurrencyLevel.begin}. */
export interface RequestSlot {
  /** The partition that it is for; `undefined` for several. */
  readonly partition: string | undefined
  /** When it began. */
  readonly beganAt: number
  /** Whether the service throttled one of its attempts. */
  isThrottled: boolean
  /** How often the limits had halved when it began. */
  round: number
  /** See {@link RequestSlot.round}, of its partition. */
  partitionRound: number
}

/** How many requests may be in flight, to an account or to a partition. */
class Limit {
  current: number
  /** How often it has halved. */
  round = 0
  readonly #start: number
  readonly #ceiling: number
  /** The highest number that is not known to be too high; `undefined` before the first throttling. */
  #edge: number | undefined
  #quiet = FIRST_QUIET
  #quietSince = 0
  /** Whether the edge was passed since it last halved. */
  #isPast = false
  #successes = 0

  constructor(start: number, ceiling: number) {
    this.current = start
    this.#start = start
    this.#ceiling = ceiling
  }

  grow(now: number): void {
    if (this.current >= this.#ceiling) return
    this.#successes++
    if (this.#edge === undefined) {
      this.current = Math.min(this.#ceiling, this.current + this.#earned)
    } else if (this.#successes >= this.current) {
      this.#successes = 0
      if (this.#mayGrow(now)) this.current++
    }
  }

  /** What a response adds before the first throttling: nothing until as many have come as began together. */
  get #earned(): number {
    if (this.#successes < this.#start) return 0
    if (this.#successes === this.#start) return Math.floor(this.#start / RESPONSES_FOR_ONE)
    return this.#successes % RESPONSES_FOR_ONE === 0 ? 1 : 0
  }

  /** Tells whether the next number is not known to be too high. */
  #mayGrow(now: number): boolean {
    if (this.current < (this.#edge ?? 0)) return true
    if (now - this.#quietSince < this.#quiet) return false
    this.#edge = this.current + Math.max(1, this.current >> 1)
    this.#quietSince = now
    if (this.#isPast) this.#quiet = Math.max(FIRST_QUIET, this.#quiet / 2)
    this.#isPast = true
    return true
  }

  halve(now: number, inFlight: number): void {
    const reached = Math.min(this.current, inFlight)
    this.round++
    this.#successes = 0
    this.#edge = Math.max(1, reached - 1)
    this.#quietSince = now
    if (this.#isPast) this.#quiet = Math.min(2 * this.#quiet, LONGEST_QUIET)
    this.#isPast = false
    this.current = Math.max(1, Math.floor(reached / 2))
  }

  /** Adds nothing for a quiet time. */
  stay(now: number): void {
    this.#successes = 0
    this.#edge = Math.min(this.#edge ?? this.current, this.current)
    this.#quietSince = now
  }
}
