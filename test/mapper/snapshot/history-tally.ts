import { InputError } from '@rowkey/odata'
import type { Call } from './history-call.ts'
import { nameOf } from './history-checks.ts'
import type { Step } from './history-steps.ts'

/** How the writes of one kind ended. */
export interface Ends {
  resolved: number
  /** Rejected before anything was sent. */
  refused: number
  /** Rejected after something was sent. */
  failed: number
}

/** Counts what histories did, so that a test that did nothing fails. */
export class Tally {
  /** Effective steps by kind. */
  readonly steps: Map<Step['do'], number> = new Map()
  /** Writes by scene and call. */
  readonly writes: Map<string, Ends> = new Map()
  /** Why writes were rejected before anything was sent. */
  readonly refusals: Map<string, number> = new Map()
  histories = 0
  /** Writes that had to succeed. */
  safe = 0

  /** The number of effective steps. */
  get total(): number {
    let total = 0
    for (const count of this.steps.values()) total += count
    return total
  }

  /** Counts a step. */
  count(step: Step['do']): void {
    this.steps.set(step, (this.steps.get(step) ?? 0) + 1)
  }

  /** Counts a completed call. */
  ended(scene: string, { about, aims, isSent, isQuiet }: Call, error: unknown): void {
    if (isQuiet && aims.length === 1 && aims[0]?.isSafe === true) this.safe++
    const name = `${scene}: ${about}`
    const ends = this.writes.get(name) ?? { resolved: 0, refused: 0, failed: 0 }
    this.writes.set(name, ends)
    if (error === undefined) ends.resolved++
    else if (isSent || !(error instanceof InputError)) ends.failed++
    else {
      ends.refused++
      const reason = `${name}: ${nameOf(error)}`
      this.refusals.set(reason, (this.refusals.get(reason) ?? 0) + 1)
    }
  }
}
