/**
 * Builds indexes 10,000 times while other programs write, and makes 1,000,000 racing updates of unique values, with
 * requests and responses that get lost. Then it simulates 100,000 steps of programs that have all patterns
 * at once, and makes 200,000 random calls of tables within one tenant. It fails when an index is wrong, two rows have one value, or a
 * call leaves its tenant. `npm run check` does the same with fewer.
 *
 *     npm run tool indexes                                        # new seeds each time; prints them
 *     npm run tool indexes -- --builds 100 --updates 20000 --steps 6000 --calls 4000 --seed 42
 */
import { parseArgs } from 'node:util'
import {
  buildUnderLoad,
  type RaceResult,
  raceForValues,
} from '../test/patterns/indexes/index-races.ts'
import { PatternSimulation } from '../test/patterns/simulation/pattern-simulation.ts'
import { playTenantCalls } from '../test/patterns/tenant-calls.ts'

const { values } = parseArgs({
  options: {
    builds: { type: 'string', default: '10000' },
    updates: { type: 'string', default: '1000000' },
    steps: { type: 'string', default: '100000' },
    calls: { type: 'string', default: '200000' },
    seed: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
/** One service holds the rows of one run. */
const UPDATES_IN_A_RUN = 20_000
/** How many steps one simulation has. */
const STEPS = 600

await repeat('builds', Number(values.builds), (run) => buildUnderLoad(run))
await repeat('updates', Number(values.updates), (run, left) =>
  raceForValues(run, Math.min(left, UPDATES_IN_A_RUN)),
)
await repeat('steps', Number(values.steps), async (run) => {
  const { wrong, checks, kills } = await new PatternSimulation({ seed: run, steps: STEPS }).run()
  const endings = new Map([
    ['checks', checks],
    ['kills', kills],
  ])
  return { done: STEPS, wrong: wrong.map((each) => `seed ${run}: ${each}`), endings }
})
await repeat('calls', Number(values.calls), async (run, left) => {
  const { wrong, ...played } = await playTenantCalls(run, left)
  return { ...played, wrong: wrong.map((each) => `seed ${run}: ${each}`) }
})

async function repeat(
  what: string,
  goal: number,
  race: (seed: number, left: number) => Promise<RaceResult>,
): Promise<void> {
  let total = 0
  const all = new Map<string, number>()
  for (let run = seed; total < goal; run++) {
    const { done, wrong, endings = new Map() } = await race(run, goal - total)
    for (const [ending, count] of endings) all.set(ending, (all.get(ending) ?? 0) + count)
    const before = total
    total += done
    const step = goal / 10
    if (Math.floor(before / step) < Math.floor(total / step)) {
      console.log(`${what}: ${total}, at seed ${run}`)
    }
    for (const each of wrong) console.error(`${what}: ${each}`)
    if (wrong.length > 0) process.exitCode = 1
  }
  const how = [...all].map(([ending, count]) => `, ${count} ${ending}`).join('')
  console.log(`${what}: ${total} in all, from seed ${seed}${how}`)
}
