import type { Sleep } from '@rowkey/rest'

interface Timer {
  readonly at: number
  readonly order: number
  readonly fire: () => void
}

/**
 * Time that passes only when everything waits for it. Timers of the same moment fire in the order in
 * which they were set, so that a run depends on its seed alone.
 */
export class VirtualTime {
  #now: number
  #orders = 0
  #sleeping = 0
  #timers: Timer[] = []

  readonly #isBusy: () => boolean

  /**
   * @param start - milliseconds since 1970, UTC
   * @param isBusy - whether something works that takes no virtual time, such as a socket; time stands still meanwhile
   */
  constructor(start: number = Date.UTC(2026, 10, 20, 12), isBusy: () => boolean = () => false) {
    this.#now = start
    this.#isBusy = isBusy
  }

  /** The moment, without the steps of any machine's clock. */
  readonly now = (): number => this.#now

  /** How many timers are set. */
  get pending(): number {
    return this.#timers.length
  }

  /** How many waits have not ended. */
  get sleeping(): number {
    return this.#sleeping
  }

  /** Waits, or less when the signal aborts. */
  readonly sleep: Sleep = (delay, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      this.#sleeping++
      const wake = (): void => {
        this.#sleeping--
        this.#timers = this.#timers.filter((each) => each !== timer)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      const timer = this.#set(delay, wake)
      signal?.addEventListener('abort', wake)
    })

  /** Calls a function later. */
  after(delay: number, fire: () => void): void {
    this.#set(delay, fire)
  }

  /**
   * Lets time pass until some work is done.
   *
   * @param work - the work
   * @param longest - how many milliseconds of virtual time it may take
   * @throws when the work waits and no timer is set: it would wait forever
   */
  async run<Result>(work: Promise<Result>, longest = Number.POSITIVE_INFINITY): Promise<Result> {
    let isDone = false
    const end = this.#now + longest
    const done = () => {
      isDone = true
    }
    work.then(done, done)
    for (let waits = 0; waits < PATIENCE && this.#now <= end; waits++) {
      await drained()
      if (isDone) return work
      if (this.#isBusy() || this.#fireNext()) waits = 0
      else await loaded()
    }
    throw new Error('The simulation waits for something that does not end.')
  }

  /** Lets time pass until no timer is left, and nothing works any more. */
  async runOut(): Promise<void> {
    do await drained()
    while (this.#isBusy() || this.#fireNext())
  }

  #set(delay: number, fire: () => void): Timer {
    const timer = { at: this.#now + Math.max(0, delay), order: this.#orders++, fire }
    let place = this.#timers.length
    while (place > 0 && this.#timers[place - 1]!.at > timer.at) place--
    this.#timers.splice(place, 0, timer)
    return timer
  }

  #fireNext(): boolean {
    const next = this.#timers.shift()
    if (next === undefined) return false
    this.#now = Math.max(this.#now, next.at)
    next.fire()
    return true
  }
}

/** So often a simulation without a timer looks whether a module was loaded. */
const PATIENCE = 500

/** Lets the loader of modules work, which some runners keep in another thread. */
export function loaded(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1))
}

/** Lets everything run that waits for nothing but promises. */
export function drained(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
