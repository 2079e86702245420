import type { ConcurrencyLevel, RequestSlot } from './concurrency-level.ts'

/** After so many milliseconds without any response the service is far away, and further requests begin: one at a time. */
const FAR = 30
const PACE = 3
/** A request is slow that takes longer than the fastest one of its run, by this factor and so many milliseconds. */
const SLOW = { factor: 3, more: 30 }

/** A request that waits for its turn. */
interface WaitingRequest {
  readonly partition: string | undefined
  readonly isWelcome: () => boolean
  readonly begin: (slot: RequestSlot) => void
}

/** How {@link RequestGate.pass} makes a request. */
export interface PassOptions {
  /** The partition that the request is for; absent for several. */
  readonly partition?: string | undefined
  /** Tells whether the request may begin now, beside the level; {@link RequestGate.retry} asks again. */
  readonly isWelcome?: () => boolean
  /** Called when the request may begin, before anything else is asked. */
  readonly onBegin?: () => void
}

/**
 * Limits how many requests of one run are in flight to a {@link ConcurrencyLevel}. The others wait in the order in which they came;
 * those of a throttled partition do not hold up the others.
 */
export class RequestGate {
  readonly #level: ConcurrencyLevel
  readonly #onRoom: () => void
  #waiting: WaitingRequest[] = []
  #inFlight = 0
  /** How many requests to each partition are in flight. */
  readonly #inPartition = new Map<string, number>()
  /** Partitions with a request that had to wait for an earlier one to the same partition. */
  readonly #wanted = new Set<string>()
  #fastest = Number.POSITIVE_INFINITY
  /** Whether the last request that wanted to begin had to wait. */
  #isWanted = false
  #isPacing = false
  #isClosed = false

  /**
   * @param level - how many requests may be in flight
   * @param onRoom - called when a request may begin that had to wait
   */
  constructor(level: ConcurrencyLevel, onRoom?: () => void) {
    this.#level = level
    this.#onRoom = onRoom ?? (() => this.retry())
  }

  /**
   * Begins a request.
   *
   * @param partition - the partition that it is for; `undefined` for several
   * @returns `undefined` when it must wait
   */
  begin(partition?: string): RequestSlot | undefined {
    const level = this.#level
    this.#isWanted = this.#inFlight >= level.current
    if (this.#isWanted) {
      void this.#pace()
      return undefined
    }
    if (partition !== undefined) {
      const count = this.#countOf(partition)
      if (count >= level.currentOf(partition)) {
        this.#wanted.add(partition)
        return undefined
      }
      this.#wanted.delete(partition)
      this.#inPartition.set(partition, count + 1)
    }
    this.#inFlight++
    return level.begin(partition)
  }

  /** Records that the service throttled an attempt of a request. */
  throttled(slot: RequestSlot): void {
    this.#level.throttled(slot, this.#countOf(slot.partition))
  }

  /**
   * Ends a request.
   *
   * @param slot - the request
   * @param isSuccess - whether it succeeded
   */
  end(slot: RequestSlot, isSuccess: boolean): void {
    const { partition, beganAt, isThrottled } = slot
    const elapsed = this.#level.clock.now() - beganAt
    if (isSuccess && !isThrottled) this.#fastest = Math.min(this.#fastest, elapsed)
    const isFast = elapsed <= this.#fastest * SLOW.factor + SLOW.more
    const isWanted = partition !== undefined && this.#wanted.has(partition)
    this.#leave(partition)
    this.#level.end(slot, isSuccess && isFast && this.#isWanted, isSuccess && isWanted)
    this.#onRoom()
  }

  /**
   * Makes a request, when there is room.
   *
   * @param work - begins at once where there is room, and otherwise when an earlier one ends
   * @param options - which partition it is for, and when it may begin
   */
  async pass<Result>(
    work: (slot: RequestSlot) => Promise<Result>,
    { partition, isWelcome = () => true, onBegin }: PassOptions = {},
  ): Promise<Result> {
    const mayPass = this.#waiting.length === 0 && isWelcome()
    let slot = mayPass ? this.begin(partition) : undefined
    if (slot !== undefined) onBegin?.()
    slot ??= await new Promise<RequestSlot>((resolve) => {
      const begin = (given: RequestSlot): void => {
        onBegin?.()
        resolve(given)
      }
      this.#waiting.push({ partition, isWelcome, begin })
      // Those that wait may be of a throttled partition.
      if (!mayPass) this.retry()
    })
    let isSuccess = false
    try {
      const result = await work(slot)
      isSuccess = true
      return result
    } finally {
      this.end(slot, isSuccess)
    }
  }

  /** Begins the requests that may begin now. */
  retry(): void {
    if (this.#waiting.length === 0) return
    const waiting = this.#waiting
    const left: WaitingRequest[] = []
    this.#waiting = []
    for (const request of waiting) {
      const slot = request.isWelcome() ? this.begin(request.partition) : undefined
      if (slot === undefined) left.push(request)
      else request.begin(slot)
    }
    this.#waiting.unshift(...left)
  }

  /** Drops the requests that wait: their results are no longer wanted. */
  close(): void {
    this.#isClosed = true
    this.#waiting = []
  }

  #leave(partition: string | undefined): void {
    this.#inFlight--
    if (partition === undefined) return
    const count = this.#countOf(partition) - 1
    if (count === 0) this.#inPartition.delete(partition)
    else this.#inPartition.set(partition, count)
    this.#wanted.delete(partition)
  }

  #countOf(partition: string | undefined): number {
    return (partition === undefined ? undefined : this.#inPartition.get(partition)) ?? 0
  }

  /** Adds requests while the first response is pending: the farther the service, the more. */
  async #pace(): Promise<void> {
    const level = this.#level
    if (this.#isPacing || !level.isUntested) return
    this.#isPacing = true
    await level.clock.sleep(FAR)
    while (this.#isWanted && level.isUntested && !this.#isClosed) {
      level.waited()
      this.#onRoom()
      await level.clock.sleep(PACE)
    }
    this.#isPacing = false
  }
}
