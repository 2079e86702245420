import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const command = fileURLToPath(new URL('../../../packages/cli/dist/command.mjs', import.meta.url))

/** A process of the built command that runs a studio. */
export interface RunningStudio extends AsyncDisposable {
  /** The printed address. */
  readonly url: string
  /** The port that it listens on. */
  readonly port: number
  readonly child: ChildProcessWithoutNullStreams
  /** Sends Ctrl+C, and returns the exit code and everything that was printed. */
  stop(): Promise<{ readonly code: number | null; readonly output: string }>
}

/**
 * Starts `rowkey studio`, as it is published.
 *
 * @param args - its arguments
 * @param environment - variables of its environment
 */
export async function runStudio(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningStudio> {
  const child = spawn(process.execPath, [command, 'studio', ...args], {
    env: { ...process.env, ROWKEY_PROFILES: '/nonexistent', ...environment },
  })
  const exit = once(child, 'close')
  let output = ''
  const url = new Promise<string>((resolve, reject) => {
    const onData = (chunk: Buffer): void => {
      output += chunk
      const found = /^http:\S+$/m.exec(output)
      if (found !== null) resolve(found[0])
    }
    child.stdout.on('data', onData)
    child.stderr.on('data', onData)
    exit.then(([code]) => reject(new Error(`the studio ended with ${code}: ${output}`)))
  })
  const stop = async () => {
    child.kill('SIGINT')
    const [code] = await exit
    return { code, output }
  }
  const printed = await url
  return {
    url: printed,
    port: Number(/(?:listens on |http:\/\/)127\.0\.0\.1:(\d+)/.exec(output)?.[1]),
    child,
    stop,
    async [Symbol.asyncDispose]() {
      await stop()
    },
  }
}
