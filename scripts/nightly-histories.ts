/**
 * Plays random histories of programs that declare indexes and sums, or nothing, on a worker for each core: in memory, in a folder, and as Cosmos DB. It
 * fails when a program reads something wrong, and prints the seeds of those histories. The tests play the seeds below 101, and
 * `npm run check` and the hosted workflow the next ones.
 *
 *     npm run tool index-histories                                    # 1,000,000 of new seeds; prints the first
 *     npm run tool index-histories -- --seed 4711 --histories 1       # one again
 *     npm run tool index-histories -- --workers 1 --minutes 30        # no more than begin in half an hour
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { parseArgs } from 'node:util'

/** What a worker tells. */
interface Share {
  readonly wrong: readonly string[]
  readonly played: Readonly<Record<string, number>>
}

const { values } = parseArgs({
  options: {
    histories: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: String(10_001 + (Date.now() % 2 ** 31)) },
    workers: { type: 'string', default: String(availableParallelism()) },
    minutes: { type: 'string', default: '100000' },
    /** Set for a worker: which one it is. */
    worker: { type: 'string' },
  },
})
const [seed, histories, workers] = [values.seed, values.histories, values.workers].map(Number) as [
  number,
  number,
  number,
]
/** So many histories are played between two reports. */
const BLOCK = 2_000

if (values.worker === undefined) await playAll()
else await playShare(Number(values.worker))

async function playAll(): Promise<void> {
  // Compiled once: a loader would read 600 files in each worker.
  const { buildPrograms } = await import('./built-programs.ts')
  const program = 'scripts/nightly-histories.ts'
  const built = (await buildPrograms([program], 'histories'))(program)
  console.log(`${histories} histories from seed ${seed}, on ${workers} workers`)
  const total: Record<string, number> = {}
  let wrong = 0
  const print = () => {
    const each = Object.entries(total).map(([kind, count]) => `${count} ${kind}`)
    console.log(`played: ${each.join(', ')}; ${wrong} wrong`)
  }
  const ends = Array.from({ length: workers }, async (_, worker) => {
    const share = ['--seed', String(seed), '--worker', String(worker)]
    const child = fork(built, [...process.argv.slice(2), ...share], { execArgv: [] })
    child.on('message', (message) => {
      const { played, wrong: found } = message as Share // it sends nothing else
      for (const [kind, count] of Object.entries(played)) total[kind] = (total[kind] ?? 0) + count
      for (const each of found) console.error(each)
      wrong += found.length
      print()
    })
    const [status] = await once(child, 'exit')
    if (status !== 0) process.exitCode = 1
  })
  await Promise.all(ends)
  if (wrong > 0) process.exitCode = 1
}

/** Plays each history whose turn it is, until all are played or the time is over. */
async function playShare(worker: number): Promise<void> {
  const { playHistories, seedsFrom } = await import('../test/patterns/derived/play-histories.ts')
  const end = performance.now() + Number(values.minutes) * 60_000
  for (let first = worker; first < histories && performance.now() < end; first += BLOCK * workers) {
    const count = Math.min(BLOCK * workers, histories - first)
    const share: Share = await playHistories(seedsFrom(seed + first, count, workers))
    process.send?.(share)
  }
  process.disconnect?.()
}
