import type { TableService } from '@rowkey/rest'
import type { BulkOptions } from './bulk-options.ts'
import type { BulkStuck } from './bulk-outcome.ts'

/** Something that a bulk write waits for. */
export interface Wait {
  readonly waitsFor: BulkStuck['waitsFor']
  readonly partitionKey: string | undefined
  /** Counts the operations that wait. */
  readonly operations: () => number
}

/** The parts of a {@link Watchdog}. */
export interface WatchdogParts {
  /** Has the clock and the timer. */
  readonly service: TableService
  readonly table: string
  /** Milliseconds. */
  readonly stuckAfter: number
  readonly onStuck: (report: BulkStuck) => void
}

/** Reports the waits of a bulk write that take too long. */
export class Watchdog {
  readonly #parts: WatchdogParts
  /** When each wait began, and when it is reported next. */
  readonly #waits = new Map<Wait, { readonly since: number; reportAt: number }>()

  constructor(parts: WatchdogParts) {
    this.#parts = parts
  }

  /** Begins to watch a wait. */
  begin(wait: Wait): void {
    const { service, stuckAfter } = this.#parts
    const since = service.now()
    this.#waits.set(wait, { since, reportAt: since + stuckAfter })
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
    const { service, stuckAfter } = this.#parts
    while (!signal.aborted) {
      await service.sleep(Math.ceil(stuckAfter / 4), signal)
      if (!signal.aborted) this.#report()
    }
  }

  #report(): void {
    const { service, table, stuckAfter, onStuck } = this.#parts
    const now = service.now()
    for (const [{ waitsFor, partitionKey, operations }, times] of this.#waits) {
      if (now < times.reportAt) continue
      times.reportAt = now + stuckAfter
      const { since } = times
      onStuck({
        waitsFor,
        table,
        partitionKey,
        operations: operations(),
        since,
        elapsed: now - since,
      })
    }
  }
}

/** Returns what watches a bulk write, when the caller wants reports. */
export function watchdogOf({
  onStuck,
  ...parts
}: Omit<WatchdogParts, 'onStuck'> & Pick<BulkOptions<never>, 'onStuck'>): Watchdog | undefined {
  return onStuck && new Watchdog({ ...parts, onStuck })
}
