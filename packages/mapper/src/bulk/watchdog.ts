import type { BulkStuck } from './bulk-outcome.ts'
import type { BulkTarget } from './bulk-target.ts'

/** Something that a bulk write waits for. */
export interface Wait {
  readonly waitsFor: BulkStuck['waitsFor']
  readonly partitionKey: string | undefined
  /** Counts the operations that wait. */
  readonly operations: () => number
}

/** Reports the waits of a bulk write that take too long. */
export class Watchdog {
  readonly #target: Pick<BulkTarget, 'service' | 'table'>
  readonly #stuckAfter: number
  readonly #onStuck: (report: BulkStuck) => void
  /** When each wait began, and when it is reported next. */
  readonly #waits = new Map<Wait, { readonly since: number; reportAt: number }>()

  /**
   * @param target - the table, with the clock and the timer of its account
   * @param onStuck - receives the reports
   * @param stuckAfter - milliseconds
   */
  constructor(
    target: Pick<BulkTarget, 'service' | 'table'>,
    onStuck: (report: BulkStuck) => void,
    stuckAfter = 60_000,
  ) {
    this.#target = target
    this.#stuckAfter = stuckAfter
    this.#onStuck = onStuck
  }

  /** Begins to watch a wait. */
  begin(wait: Wait): void {
    const since = this.#target.service.now()
    this.#waits.set(wait, { since, reportAt: since + this.#stuckAfter })
  }

  /** Ends a wait. */
  end(wait: Wait): void {
    this.#waits.delete(wait)
  }

  /**
   * Watches until the signal aborts.
   *
   * @throws what `onStuck` throws
   */
  async watch(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#target.service.sleep(Math.ceil(this.#stuckAfter / 4), signal)
      if (!signal.aborted) await this.#report()
    }
  }

  async #report(): Promise<void> {
    const { service, table } = this.#target
    const now = service.now()
    for (const [{ waitsFor, partitionKey, operations }, times] of this.#waits) {
      if (now < times.reportAt) continue
      times.reportAt = now + this.#stuckAfter
      const { since } = times
      const elapsed = now - since
      await this.#onStuck({
        waitsFor,
        table,
        partitionKey,
        operations: operations(),
        since,
        elapsed,
      })
    }
  }
}
