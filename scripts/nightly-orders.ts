/**
 * Plays few clients in every order, with every lost, late and doubled request that a run may have, and fails when a run ends
 * wrong. It prints that run as a program. `npm test` plays the first states of each search.
 *
 *     npm run tool orders
 *     npm run tool orders -- --program "receivers of a queue" --faults 3
 */
import { parseArgs } from 'node:util'
import { playEveryOrder } from '../test/patterns/orders/every-order.ts'
import { smallPrograms } from '../test/patterns/orders/small-programs.ts'

/** After how many states a search ends, so that all take two minutes. */
const MOST = 1_000

const { values } = parseArgs({
  options: { program: { type: 'string' }, faults: { type: 'string' } },
})
// Most of the errors here are lost requests.
Error.stackTraceLimit = 0
let all = 0
for (const [name, program] of Object.entries(smallPrograms)) {
  if (values.program !== undefined && values.program !== name) continue
  for (const scope of program.scopes) {
    const bounds = { ...scope, faults: Number(values.faults ?? scope.faults) }
    const { clients, faults, passes, mortal = 'no client' } = bounds
    const result = await playEveryOrder(program, bounds, { most: MOST })
    const { states, runs, ends, isWhole, counterexample } = result
    all += states
    console.log(
      `${name}, clients ${clients}, up to ${faults} faults and ${passes} half minutes, ${mortal} may die: ${states} states${isWhole ? '' : ', not all'}, ${runs} runs, ${ends} ends`,
    )
    if (counterexample === undefined) continue
    console.error(counterexample)
    process.exitCode = 1
  }
}
console.log(`${all} states in ${Math.round(performance.now() / 1_000)} s`)
