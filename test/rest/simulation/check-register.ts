import { FIRST_VALUE, type RegisterOperation } from './registers.ts'

/** Where a search is: what happened already, and the value then. */
interface Step {
  readonly done: bigint
  readonly value: string
}

/**
 * Tells whether the history of one register is linearizable: whether each operation can have happened at
 * one moment between its beginning and its end. The search is that of Wing and Gong, and remembers where it
 * has been. An operation with an unknown outcome may happen at any later moment, or never.
 *
 * @param history - the operations of one register; each value is written at most once
 */
export function isLinearizable(history: readonly RegisterOperation[]): boolean {
  const operations = relevant(history).sort((one, other) => one.began - other.began)
  const mustHappen = operations.reduce(
    (all, { ended }, at) => (Number.isFinite(ended) ? all | (1n << BigInt(at)) : all),
    0n,
  )
  const seen = new Set<string>()
  const steps: Step[] = [{ done: 0n, value: FIRST_VALUE }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if ((step.done & mustHappen) === mustHappen) return true
    for (const next of nextSteps(step, operations)) {
      const place = `${next.done.toString(36)} ${next.value}`
      if (seen.has(place)) continue
      seen.add(place)
      steps.push(next)
    }
  }
  return false
}

/** A write with an unknown outcome whose value no operation has met counts as never applied. */
function relevant(history: readonly RegisterOperation[]): RegisterOperation[] {
  const met = new Set(
    history.map(({ kind, value, expected }) => (kind === 'read' ? value : expected)),
  )
  return history.filter(({ ended, value }) => Number.isFinite(ended) || met.has(value))
}

/** What can happen next: anything that began before everything that is left has ended. */
function nextSteps({ done, value }: Step, operations: readonly RegisterOperation[]): Step[] {
  const next: Step[] = []
  let firstEnd = Number.POSITIVE_INFINITY
  for (const [at, { began, ended }] of operations.entries()) {
    if (began > firstEnd) break
    if (!isDone(done, at)) firstEnd = Math.min(firstEnd, ended)
  }
  for (const [at, operation] of operations.entries()) {
    if (operation.began > firstEnd) break
    const { kind, expected } = operation
    if (isDone(done, at)) continue
    if (kind === 'read' && operation.value !== value) continue
    if (kind === 'compare and set' && expected !== value) continue
    next.push({ done: done | (1n << BigInt(at)), value: operation.value })
  }
  return next
}

function isDone(done: bigint, at: number): boolean {
  return ((done >> BigInt(at)) & 1n) === 1n
}
