import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

/** A step of a check. */
export interface Step {
  readonly name: string
  /** A program with its arguments. */
  readonly command: readonly [program: string, ...args: string[]]
  readonly env?: Readonly<Record<string, string>>
}

/** Steps that may run beside each other, and need the stages before. The longest come first. */
export type Stage = readonly Step[]

/** Most steps use one core, and some wait for a browser or an installation. */
const AT_ONCE = 3

/** How long the processes of a stopped step may take to end, in milliseconds. */
const GRACE = 5_000

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs stages one after another, and stops at the first step that fails. The steps beside it end too, with all their processes.
 * They also end when this process is interrupted. A step prints when it has ended, so that outputs do not mix.
 *
 * @param stages - the stages
 * @param print - gets what a reader sees
 * @returns whether all steps passed
 */
export async function runStages(
  stages: readonly Stage[],
  print: (text: string) => void,
): Promise<boolean> {
  const running = new Set<RunningStep>()
  const stopAll = () => Promise.all(Array.from(running, (step) => step.stop()))
  const onSignal = async (): Promise<void> => {
    await stopAll()
    process.exit(1)
  }
  let failed: string | undefined
  const runNext = async (waiting: Step[]): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      print(`${next.name}: ${next.command.join(' ')}\n`)
      const step = new RunningStep(next)
      running.add(step)
      const { passed, report } = await step.end
      running.delete(step)
      if (failed !== undefined) return
      print(report)
      if (passed) continue
      failed = next.name
      waiting.length = 0
      await stopAll()
    }
  }
  for (const signal of SIGNALS) process.once(signal, onSignal)
  for (const stage of stages) {
    const waiting = [...stage]
    if (failed === undefined) {
      await Promise.all(Array.from({ length: AT_ONCE }, () => runNext(waiting)))
    }
  }
  for (const signal of SIGNALS) process.off(signal, onSignal)
  print(
    failed === undefined ? `\nall ${stages.flat().length} steps passed\n` : `\n${failed} failed\n`,
  )
  return failed === undefined
}

/** The processes of a step. They are a group of their own, which ends as one. */
class RunningStep {
  /** Whether the step passed, and what it printed. */
  readonly end: Promise<{ readonly passed: boolean; readonly report: string }>
  readonly #child: ChildProcess

  constructor({ name, command: [program, ...args], env }: Step) {
    this.#child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...env },
    })
    this.end = this.#run(name)
  }

  async #run(name: string): Promise<{ passed: boolean; report: string }> {
    const start = performance.now()
    const output: Buffer[] = []
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => output.push(chunk))
    }
    const close = once(this.#child, 'close').catch(() => undefined)
    const status = await once(this.#child, 'exit').then(
      ([code, signal]) => code ?? signal,
      (error: unknown) => error,
    )
    // A process that the step has left behind would keep its output open.
    this.#kill('SIGKILL')
    await Promise.race([close, new Promise((resolve) => setTimeout(resolve, GRACE).unref())])
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    const passed = status === 0
    const ending = `${name}: ${passed ? 'ok' : `failed (${status})`}, ${seconds} s\n`
    return { passed, report: Buffer.concat(output).toString() + ending }
  }

  /** Asks the processes to end, and ends those that are still there after a while. */
  async stop(): Promise<void> {
    this.#kill('SIGTERM')
    const late = setTimeout(() => this.#kill('SIGKILL'), GRACE)
    await this.end
    clearTimeout(late)
  }

  #kill(signal: NodeJS.Signals): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, signal)
    } catch {
      // They have ended already.
    }
  }
}
