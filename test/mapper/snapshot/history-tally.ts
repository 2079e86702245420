import { InputError } from '@rowkey/odata'
import type { Call } from './history-call.ts'
import { nameOf } from './history-checks.ts'
import type { Step } from './history-steps.ts'

/** How often writes of one sort ended how. */
export interface Ends {
  resolved: number
  /** Rejected before anything was sent. */
  refused: number
  /** Rejected after something was sent. */
  failed: number
}

/** Counts what histories did, so that nobody believes in a test that did nothing. */
export class Tally {
  /** Steps that meant something, by their kind. */
  readonly steps: Map<Step['do'], number> = new Map()
  /** Writes by scene and call. */
  readonly writes: Map<string, Ends> = new Map()
  /** Why writes were rejected before anything was sent. */
  readonly refusals: Map<string, number> = new Map()
  histories = 0
  /** Writes that nothing can be said against. */
  safe = 0

  /** All steps that meant something. */
  get total(): number {
    let total = 0
    for (const count of this.steps.values()) total += count
    return total
  }

  /** Counts a step. */
  count(step: Step['do']): void {
    this.steps.set(step, (this.steps.get(step) ?? 0) + 1)
  }

  /** Counts a call that ended. */
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
