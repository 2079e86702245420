/** Does the cost of a read depend on how many rows the table has? */
import { measure, readsSpread, startFilled } from './cost.mjs'
import { memoryOf } from './process-usage.mjs'

/**
 * Fills one process for each size and measures the same reads on all of them in turn, under the same
 * conditions.
 *
 * @param name - the name of the service
 * @param options - `sizes` in rows, `slices`, and `limit`: the milliseconds for filling one
 * @returns for each size that could be filled its `rows`, `memory` in MiB, and lists of costs
 */
export async function measureCurve(name, { sizes, slices, limit }) {
  const targets = []
  try {
    for (const rows of sizes) {
      const target = await startFilled(name, rows, limit)
      if (target === undefined) break
      targets.push(target)
      console.error(`${name}: ${rows} rows`)
    }
    const costs = {}
    for (const [operation, reads] of Object.entries(readsSpread)) {
      costs[operation] = await measure(targets, reads, slices)
    }
    return targets.map(({ rows, pid }, at) => ({
      rows,
      memory: memoryOf(pid),
      costs: Object.fromEntries(
        Object.entries(costs).map(([operation, samples]) => [
          operation,
          samples.map((slice) => slice[at]),
        ]),
      ),
    }))
  } finally {
    for (const target of targets) await target.stop()
  }
}
