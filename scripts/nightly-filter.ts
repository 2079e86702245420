/**
 * Prints and parses more than a million generated filter trees, and fails when one changes. The test
 * suite does the same with a few thousand.
 *
 *     npm run tool filters                               # a new seed each time; prints the seed
 *     npm run tool filters -- --trees 10000 --seed 42    # fewer trees, or the trees of an earlier run
 */
import { parseArgs } from 'node:util'
import { countComparisons, type FilterNode, parseFilter, printFilter } from '@rowkey/odata'
import fc from 'fast-check'
import { arbitraryFilter } from '../test/odata/arbitrary-filters.ts'
import { isSameTree } from '../test/odata/same-tree.ts'

const TREES_IN_A_RUN = 50_000

const { values } = parseArgs({
  options: { trees: { type: 'string' }, seed: { type: 'string' } },
})
const trees = Number(values.trees ?? 1_100_000)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
let comparisons = 0

/** Tells whether a tree is the same after it was printed and parsed. */
function comesBack(tree: FilterNode): boolean {
  comparisons += countComparisons(tree)
  return isSameTree(parseFilter(printFilter(tree)), tree)
}

console.log(`${trees} trees, seed ${seed}`)
for (let done = 0; done < trees; done += TREES_IN_A_RUN) {
  const numRuns = Math.min(TREES_IN_A_RUN, trees - done)
  // fast-check throws with the smallest failing tree, which ends the script with status 1.
  fc.assert(fc.property(arbitraryFilter, comesBack), { numRuns, seed: seed + done })
  console.log(`${done + numRuns} trees came back, with ${comparisons} comparisons`)
}
