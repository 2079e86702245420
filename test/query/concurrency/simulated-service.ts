import { type ConcurrencyLevel, type LevelClock, RequestGate } from '@rowkey/query'

/** How a {@link SimulatedService} behaves. */
export interface ServiceHabits {
  /** Milliseconds until a response, at a time. */
  readonly latency: (now: number) => number
  /** Tells whether the service throttles a request, which is counted already. */
  readonly throttles?: (state: LoadState) => boolean
  /** Tells whether a request fails for good. */
  readonly fails?: (index: number) => boolean
}

/** The load of a service when a request arrives. */
export interface LoadState {
  readonly now: number
  readonly inFlight: number
  readonly inPartition: number
  readonly partition: string
}

/** What a run has shown. */
export interface RunReport {
  /** When it ended, in milliseconds. */
  readonly elapsed: number
  /** How many responses were 503. */
  readonly throttled: number
  /** The most requests in flight. */
  readonly most: number
  /** The indexes of the requests, in the order in which they ended. */
  readonly ended: readonly number[]
  /** How many requests were in flight when each began. */
  readonly trace: readonly number[]
}

/** How many requests of a run wait or are in flight. */
const WINDOW = 130
/** Milliseconds that a request waits after its first throttled attempt; each further one waits twice as long. */
const FIRST_WAIT = 100
const LONGEST_WAIT = 2_000

/** A service in simulated time. Nothing in it takes real time, and equal runs end equally. */
export class SimulatedService {
  /** The clock of levels. */
  readonly clock: LevelClock = {
    now: () => this.#now,
    sleep: (delay) => new Promise((resolve) => this.at(this.#now + delay, resolve)),
  }
  readonly #habits: ServiceHabits
  readonly #events: { readonly at: number; readonly run: () => void }[] = []
  readonly #inPartition = new Map<string, number>()
  #now = 0
  #inFlight = 0
  #throttled = 0
  #most = 0

  constructor(habits: ServiceHabits) {
    this.#habits = habits
  }

  /** Runs something at a time. */
  at(at: number, run: () => void): void {
    const index = this.#events.findIndex((event) => event.at > at)
    this.#events.splice(index < 0 ? this.#events.length : index, 0, { at, run })
  }

  /** Sends a request to each of some partitions, as the gate of one run allows. */
  async run(level: ConcurrencyLevel, partitions: readonly string[]): Promise<RunReport> {
    const gate = new RequestGate(level)
    const [startedAt, throttledBefore] = [this.#now, this.#throttled]
    const ended: number[] = []
    const trace: number[] = []
    this.#most = 0
    const waiting = partitions.entries()
    const sendNext = (): void => {
      const { value } = waiting.next()
      if (value === undefined) return
      const [index, partition] = value
      const call = gate.pass(
        async (slot) => {
          trace.push(this.#inFlight + 1)
          await this.#call(index, partition, () => gate.throttled(slot))
        },
        { partition },
      )
      const end = (): void => {
        ended.push(index)
        sendNext()
      }
      call.then(end, end)
    }
    for (let begun = 0; begun < WINDOW; begun++) sendNext()
    // Waits are short and few: no run needs so many steps.
    for (let step = 0; ended.length < partitions.length && step < 1_000_000; step++) {
      await settled()
      const next = this.#events.shift()
      if (next === undefined) break
      this.#now = Math.max(this.#now, next.at)
      next.run()
    }
    const throttled = this.#throttled - throttledBefore
    return { elapsed: this.#now - startedAt, throttled, most: this.#most, ended, trace }
  }

  /** Lets time pass. */
  pass(milliseconds: number): void {
    this.#now += milliseconds
  }

  async #call(index: number, partition: string, onThrottled: () => void): Promise<void> {
    let wait = FIRST_WAIT
    for (let attempt = 0; await this.#attempt(partition); attempt++) {
      onThrottled()
      // Spreads the waits, as random ones would. Equal waits of a request would meet those of others forever.
      await this.clock.sleep(wait * (0.5 + ((index * 7919 + attempt * 37) % 100) / 100))
      wait = Math.min(2 * wait, LONGEST_WAIT)
    }
    if (this.#habits.fails?.(index)) throw new RangeError(`no ${index}`)
  }

  async #attempt(partition: string): Promise<boolean> {
    const inPartition = (this.#inPartition.get(partition) ?? 0) + 1
    this.#inPartition.set(partition, inPartition)
    const inFlight = ++this.#inFlight
    this.#most = Math.max(this.#most, inFlight)
    const isThrottled =
      this.#habits.throttles?.({ now: this.#now, inFlight, inPartition, partition }) ?? false
    await this.clock.sleep(this.#habits.latency(this.#now))
    this.#inFlight--
    this.#inPartition.set(partition, this.#inPartition.get(partition)! - 1)
    if (isThrottled) this.#throttled++
    return isThrottled
  }
}

/** Lets everything that is ready run: chains of promises here are short. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve()
}

/** So many requests, spread over so many partitions. */
export function spread(requests: number, partitions: number): string[] {
  return Array.from({ length: requests }, (_, index) => `p${index % partitions}`)
}
