import fc from 'fast-check'
import { BrokenRule } from './history-checks.ts'
import { scenes } from './history-scenes.ts'
import { type Defect, Services } from './history-services.ts'
import { type History, histories } from './history-steps.ts'
import { Tally } from './history-tally.ts'
import { World } from './history-world.ts'

/** What is run. */
export interface RunOptions {
  readonly seed: number
  /** How many effective steps to play; the last history is played to its end. */
  readonly steps: number
  /** A deliberate defect of the client. */
  readonly defect?: Defect | undefined
  /** Says which broken rules are known: a history that breaks one ends there, and does not count as a finding. */
  readonly isKnown?: ((broken: BrokenRule) => boolean) | undefined
  /** Returns a finding without shortening it. */
  readonly isLeftLong?: boolean | undefined
  /** Receives the progress from time to time. */
  readonly onProgress?: ((tally: Tally) => void) | undefined
}

/** A history that breaks a rule, shortened. */
export interface Finding {
  readonly signature: string
  readonly message: string
  /** The history as a program. */
  readonly program: string
  /** What {@link replay} takes. */
  readonly seed: number
  readonly path: string
  readonly history: History
}

const HISTORIES_IN_A_RUN = 250
/** After each history of this number, the model of the service is compared with the service. */
const CHECKED = 8

/**
 * Plays random histories until one breaks a rule, and shortens that one.
 *
 * @returns the finding, and a count of what was played
 */
export async function runHistories(
  options: RunOptions,
): Promise<{ readonly finding: Finding | undefined; readonly tally: Tally }> {
  const { seed, steps, onProgress } = options
  const tally = new Tally()
  const services = await Services.start(options.defect)
  for (let part = 0; tally.total < steps; part++) {
    const finding = await runPart(services, tally, { ...options, seed: seed + part })
    if (finding !== undefined) return { finding, tally }
    onProgress?.(tally)
  }
  await services.close()
  return { finding: undefined, tally }
}

async function runPart(
  services: Services,
  tally: Tally,
  { seed, steps, isKnown, defect, isLeftLong = false }: RunOptions,
): Promise<Finding | undefined> {
  // After the last step, histories are not played.
  const property = fc.asyncProperty(histories, async (history) => {
    if (tally.total < steps) await play(services, history, { tally, isKnown })
  })
  const result = await fc.check(property, {
    seed,
    numRuns: HISTORIES_IN_A_RUN,
    endOnFailure: isLeftLong,
  })
  if (!result.failed || result.counterexample === null) return undefined
  const [history] = result.counterexample
  const { error, program } = await recount(history, defect)
  const path = result.counterexamplePath ?? ''
  // A defect that remembers earlier histories may break another rule when this one is played again.
  const shown = result.errorInstance ?? error
  const signature = shown instanceof BrokenRule ? shown.signature : 'an error of the test'
  const message =
    shown instanceof Error && !(shown instanceof BrokenRule)
      ? String(shown.stack)
      : String((shown as Error)?.message)
  return { signature, message, program, seed, path, history }
}

/** Plays a history again on fresh services, and prints it as a program. */
export async function recount(
  history: History,
  defect?: Defect,
): Promise<{ readonly error: unknown; readonly program: string }> {
  const lines: string[] = []
  const services = await Services.start(defect)
  const parts = {
    tally: new Tally(),
    isKnown: undefined,
    say: (line: string) => void lines.push(line),
  }
  const error = await play(services, history, parts).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  await services.close()
  return { error, program: lines.join('\n') }
}

/** Returns the history of a seed and a path. */
export function historyAt(seed: number, path: string): History | undefined {
  const [found] = fc.sample(histories, { seed, path, numRuns: 1 })
  return found
}

interface PlayParts {
  readonly tally: Tally
  readonly isKnown: ((broken: BrokenRule) => boolean) | undefined
  readonly say?: (line: string) => void
}

async function play(services: Services, history: History, parts: PlayParts): Promise<void> {
  const scene = scenes[history.scene % scenes.length]
  if (scene === undefined) return
  await services.clear()
  const { tally } = parts
  const world = new World(services, scene, tally, parts.say ?? (() => {}))
  try {
    for (const step of history.rows) await world.prepare(step)
    for (const step of history.steps) await world.take(step)
    await world.end()
    if (++tally.histories % CHECKED === 0) await services.check()
  } catch (error) {
    if (!(error instanceof BrokenRule) || parts.isKnown?.(error) !== true) throw error
  } finally {
    world.close()
  }
}
