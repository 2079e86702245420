/**
 * Simulates 2,000,000 calls of 8 clients over a faulty network, in virtual time, and fails when a caller learned
 * something untrue. `npm run check` does the same with fewer. Then 100 histories of list-append
 * transactions and of registers are checked, 400 operations each. Last come imports with a journal, 2,000 of each kind:
 * their processes are killed between any two steps, appends are torn, full disks make a process run again with the same
 * open file, and requests arrive late, until a process lives; each operation must be applied once.
 *
 *     npm run tool simulation                                            # new seeds each time; prints them
 *     npm run tool simulation -- --calls 20000 --seed 42                 # one simulation again, byte for byte
 *     npm run tool simulation -- --calls 0 --imports 0 --histories 10    # histories alone
 *     npm run tool simulation -- --calls 0 --histories 0 --imports 1 --seed 42
 */
import { parseArgs } from 'node:util'
import { IMPORTS, playImport } from '../test/mapper/bulk/journal/killed-imports.ts'
import { checkListAppend } from '../test/rest/simulation/check-list-append.ts'
import { isLinearizable } from '../test/rest/simulation/check-register.ts'
import { ListAppend } from '../test/rest/simulation/list-append.ts'
import { Registers } from '../test/rest/simulation/registers.ts'
import { Simulation } from '../test/rest/simulation/simulation.ts'

/** One simulation holds all of its calls in memory. */
const CALLS_IN_A_RUN = 20_000
/** How many operations a history has. */
const HISTORY = 400
/** A fault that happens less often shows little. */
const LEAST_FIRED = 100

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '2000000' },
    histories: { type: 'string', default: '100' },
    imports: { type: 'string', default: '2000' },
    seed: { type: 'string' },
  },
})
const calls = Number(values.calls)
const seed = Number(values.seed ?? Date.now() % 2 ** 31)
const totals = { fired: new Map(), endings: new Map(), limits: new Map() }

for (let done = 0, run = seed; done < calls; done += CALLS_IN_A_RUN, run++) {
  const simulated = Math.min(CALLS_IN_A_RUN, calls - done)
  const result = await new Simulation({ seed: run, calls: simulated }).run()
  for (const name of ['fired', 'endings', 'limits'] as const) add(totals[name], result[name])
  console.log(`seed ${run}: ${done + simulated} calls, trace ${result.trace.slice(0, 16)}`)
  for (const [finding, found] of result.violations) {
    fail(`${finding}: ${found.length}\n  ${found.slice(0, 5).join('\n  ')}`)
  }
}
for (let run = seed; run < seed + Number(values.histories); run++) {
  const appends = await new ListAppend(run, true).run(HISTORY)
  const anomalies = [...checkListAppend(appends)]
  if (anomalies.length > 0) fail(`list-append, seed ${run}: ${anomalies.join(', ')}`)
  const registers = await new Registers(run, true).run(HISTORY)
  for (const [key, history] of registers) {
    if (!isLinearizable(history)) fail(`register ${key}, seed ${run}: not linearizable`)
  }
  console.log(`seed ${run}: ${HISTORY} appending transactions, ${HISTORY} register operations`)
}
const imports = Number(values.imports)
for (const [name, kind] of Object.entries(IMPORTS)) {
  const fired = { kills: 0, fullDisks: 0 }
  for (let run = seed; run < seed + imports; run++) {
    const result = await playImport(kind, run)
    fired.kills += result.fired.kills
    fired.fullDisks += result.fired.fullDisks
    if (result.wrong !== '') fail(`${name}, seed ${run}: ${result.wrong}`)
  }
  const { kills, fullDisks } = fired
  console.log(`${name}: ${imports} imports, ${kills} kills, ${fullDisks} full disks`)
}
const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
if (timers.length > 0) fail(`${timers.length} timers of this machine are left`)
const rare = [...totals.fired].filter(([, count]) => count < LEAST_FIRED)
if (calls >= CALLS_IN_A_RUN && rare.length > 0) fail(`too rare: ${rare.join('; ')}`)
for (const [name, counts] of Object.entries(totals)) {
  console.log(`${name}: ${[...counts].map((entry) => entry.join(' ')).join(', ')}`)
}

function fail(finding: string): void {
  console.error(finding)
  process.exitCode = 1
}

function add(total: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [name, count] of counts) total.set(name, (total.get(name) ?? 0) + count)
}
