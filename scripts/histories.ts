/**
 * Plays random histories of objects and rows, and fails with a short program when one breaks a rule: a stored
 * property that changes without a caller who changed it, a lost update, a write that did nothing, an untrue error.
 * `npm run check` does the same with fewer steps.
 *
 *     npm run tool histories -- --steps 5000000 --seed 42    # each night, with another seed
 *     npm run tool histories -- --seed 42 --path 17:3:3      # one history again, as a program
 *     npm run tool histories -- --survey                     # does not stop at the first, and lists what it finds
 */
import { parseArgs } from 'node:util'
import { historyAt, recount, runHistories } from '../test/mapper/snapshot/history-run.ts'
import type { Tally } from '../test/mapper/snapshot/history-tally.ts'

const { values } = parseArgs({
  options: {
    steps: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    path: { type: 'string' },
    survey: { type: 'boolean', default: false },
    tally: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
const steps = Number(values.steps)

if (values.path !== undefined) await again(values.path)
else await play()

async function again(path: string): Promise<void> {
  const history = historyAt(seed, path)
  if (history === undefined) throw new Error(`missing history at ${path}`)
  const { error, program } = await recount(history)
  console.log(program)
  if (error === undefined) return console.log('\nNo rule is broken.')
  console.error(`\n${String(error)}`)
  process.exitCode = 1
}

async function play(): Promise<void> {
  console.log(`${steps} steps, seed ${seed}`)
  const known = new Set<string>()
  const start = performance.now()
  for (;;) {
    const { finding, tally } = await runHistories({
      seed: seed + known.size,
      steps,
      isKnown: ({ signature }) => known.has(signature),
      onProgress,
    })
    if (finding === undefined) return print(tally, performance.now() - start)
    console.error(`\n${finding.signature}\n${finding.message}\n\n${finding.program}\n`)
    console.error(`Again: npm run tool histories -- --seed ${finding.seed} --path ${finding.path}`)
    process.exitCode = 1
    if (!values.survey || known.has(finding.signature)) return
    known.add(finding.signature)
  }
}

function onProgress({ total, histories }: Tally): void {
  if (histories % 10_000 < 250) console.log(`${total} steps in ${histories} histories`)
}

function print(tally: Tally, milliseconds: number): void {
  console.log(
    `${tally.total} steps in ${tally.histories} histories, ${(milliseconds / 1000).toFixed(1)} s`,
  )
  console.log(`${tally.safe} writes had to succeed`)
  console.log([...tally.steps].map(([step, count]) => `${step} ${count}`).join(', '))
  if (!values.tally) return
  for (const [name, { resolved, refused, failed }] of [...tally.writes].sort()) {
    console.log(`${name}: ${resolved} resolved, ${refused} refused, ${failed} failed`)
  }
  for (const [name, count] of [...tally.refusals].sort()) console.log(`refused ${name}: ${count}`)
}
