import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { runCommand } from '../../packages/cli/src/command/run-command.ts'

/** How a command ended. */
export interface CliResult {
  readonly code: number
  readonly printed: string
  readonly warned: string
}

/** What differs from a shell without a terminal, a target and input. */
export interface CliSettings {
  readonly target?: string | undefined
  readonly environment?: Readonly<Record<string, string>>
  readonly input?: string | Uint8Array
  readonly folder?: string
  /** Whether a person is there, who answers questions with `input`. */
  readonly isInteractive?: boolean
  /** The error of everything that is printed. */
  readonly outputError?: NodeJS.ErrnoException
  /** Called with everything that was printed so far; `true` interrupts the command, as Ctrl+C does. */
  readonly onPrint?: (printed: string) => Promise<boolean>
}

/**
 * Runs a command of `@rowkey/cli` in this process.
 *
 * @param line - the command and its arguments, separated by blanks; or a list
 * @param settings - the process around it
 */
export async function runCli(
  line: string | readonly string[],
  settings: CliSettings = {},
): Promise<CliResult> {
  const args = typeof line === 'string' ? line.split(' ').filter(Boolean) : line
  const stream = () => Object.assign(new PassThrough(), { isTTY: settings.isInteractive === true })
  const [stdin, stdout, stderr] = [stream(), stream(), stream()]
  const printed: Buffer[] = []
  let warned = ''
  stdout.on('data', async (chunk: Buffer) => {
    printed.push(chunk)
    const isInterrupted = await settings.onPrint?.(Buffer.concat(printed).toString())
    if (isInterrupted) process.emit('SIGINT')
  })
  stderr.on('data', (chunk: Buffer) => {
    warned += chunk
  })
  if (settings.outputError !== undefined)
    stdout._write = (_, _encoding, done) => done(settings.outputError)
  stdin.end(settings.input)
  const process = Object.assign(new EventEmitter(), {
    stdin,
    stdout,
    stderr,
    env: {
      ROWKEY_PROFILES: '/nonexistent',
      ...(settings.target !== undefined && { ROWKEY_TARGET: settings.target }),
      ...settings.environment,
    },
    cwd: () => settings.folder ?? '/nonexistent',
    exit: () => {},
  })
  // The few members of a process that a shell uses.
  const code = await runCommand(args, process as never)
  return { code, printed: Buffer.concat(printed).toString(), warned }
}
