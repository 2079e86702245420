import { createHash } from 'node:crypto'
import { localTableService } from '@rowkey/local'
import type { Account } from '@rowkey/mapper'
import {
  type Bounds,
  type Bug,
  type MadeCall,
  SmallWorld,
  START,
  type WorldParts,
} from './small-world.ts'

/** Programs of few clients, and what must be true when all of them have ended. */
export interface SmallProgram {
  readonly tables: readonly string[]
  readonly exactWrites: boolean
  /** The clients that run, by their names, and what bounds their runs: every order within each of these is played. */
  readonly scopes: readonly Scope[]
  /** Makes what the clients find. */
  prepare(account: Account): Promise<void>
  /** Makes the clients of one run. */
  open(): SmallRun
}

/** Clients, and what bounds their runs. */
export interface Scope extends Bounds {
  readonly clients: string
}

/** The clients of one run. */
export interface SmallRun {
  readonly clients: WorldParts['programs']
  /**
   * Judges the run after its last step.
   *
   * @param calls - the calls of the clients
   * @param account - an account without faults
   * @returns what is wrong
   */
  judge(calls: readonly MadeCall[], account: Account): Promise<string | undefined>
}

/** What a search found. */
export interface SearchResult {
  /** How many different states the runs met. */
  readonly states: number
  readonly runs: number
  /** How many runs came to an end that no run had met. */
  readonly ends: number
  /** Whether every order was played. */
  readonly isWhole: boolean
  /** The first run that ended wrong, as a program. */
  readonly counterexample?: string
}

/** Bounds a search. */
export interface SearchOptions {
  /** After how many states it ends; all when absent. */
  readonly most?: number | undefined
  readonly bug?: Bug | undefined
}

/** One of the steps that were possible. */
interface Choice {
  readonly of: number
  readonly taken: number
}

/**
 * Plays clients in every order, and with every fault. Each run begins from the start, takes the steps that a list of choices names, and
 * then the first one each time; it ends early in a state that an earlier run met with as many faults left. Runs with fewer other choices come
 * first, because most bugs need few.
 */
export async function playEveryOrder(
  program: SmallProgram,
  { clients, ...bounds }: Scope,
  { most = Number.POSITIVE_INFINITY, bug }: SearchOptions = {},
): Promise<SearchResult> {
  const service = localTableService({
    ...{ now: () => START, random: () => 0.5, requestLogSize: 0 },
    // Its ids only name requests and parts, and must be the same in all runs.
    newId: () => '00000000-0000-4000-8000-000000000000',
  })
  const { tables, exactWrites } = program
  const common = { service, tables, exactWrites, ...bounds, bug }
  await program.prepare(new SmallWorld({ ...common, programs: {} }).direct)
  const prepared = await service.snapshot()
  const seen = new Map<string, number>()
  const counts = { states: 0, runs: 0, ends: 0 }
  const paths: (readonly Choice[])[] = [[]]

  /** Tells whether a state is new, or was only met with fewer faults left. */
  const isNew = async (world: SmallWorld): Promise<boolean> => {
    const { text, faultsLeft } = await world.state()
    const hash = createHash('sha1').update(text).digest('base64')
    const known = seen.get(hash)
    if (known !== undefined && known >= faultsLeft) return false
    if (known === undefined) counts.states++
    seen.set(hash, faultsLeft)
    return true
  }

  /** Plays one run, whose first steps a path chooses. Returns whether it came to an end. */
  const play = async (world: SmallWorld, path: readonly Choice[]): Promise<boolean> => {
    const made = [...path]
    for (let depth = 0; ; depth++) {
      await world.settle()
      const steps = world.steps()
      const of = steps.length
      if (depth === made.length) {
        if (!(await isNew(world))) return false
        if (of === 0) return true
        for (let taken = 1; taken < of; taken++) paths.push([...made, { of, taken }])
        made.push({ of, taken: 0 })
      }
      const step = steps[made[depth]?.taken ?? 0]
      if (step === undefined || of !== made[depth]?.of) {
        throw new Error(`The run did not repeat itself:\n${world.story()}`)
      }
      const words = step.words
      world.told.push(() => `    // ${words()}`)
      await step.take()
    }
  }

  for (const path of paths) {
    if (counts.states >= most) return { ...counts, isWhole: false }
    await service.restore(prepared)
    counts.runs++
    const run = program.open()
    const programs = Object.fromEntries([...clients].map((name) => [name, run.clients[name]!]))
    const world = new SmallWorld({ ...common, programs })
    if (await play(world, path)) {
      counts.ends++
      const wrong = await run.judge(world.calls, world.direct)
      if (wrong !== undefined) {
        const counterexample = `${world.story()}\n// wrong: ${wrong}`
        return { ...counts, isWhole: false, counterexample }
      }
    } else await world.end()
  }
  return { ...counts, isWhole: true }
}
