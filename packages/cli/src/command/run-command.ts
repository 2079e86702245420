import { InputError, isRowkeyError } from '@rowkey/odata'
import { CommanderError } from 'commander'
import { inOptions } from '../condition/explain-text.ts'
import { cliInputError } from '../errors/codes.ts'
import { processShell, READER_GONE, type ShellProcess } from '../shell/process-shell.ts'
import { EXIT, type Shell } from '../shell/shell.ts'
import { withoutControls } from '../shell/without-controls.ts'
import { makeProgram } from './program.ts'

/**
 * Runs a command of `rowkey`, such as `query` or `export`.
 *
 * @param args - the arguments, without the names of the program
 * @param process - the process: its streams, environment and signals
 * @returns the exit code: 0, 1 for a failure, 2 for invalid arguments, 3 when a comparison found differences, 130 when it was
 * interrupted
 *
 * @example
 * ```ts
 * process.exitCode = await runCommand(process.argv.slice(2), process)
 * ```
 */
export async function runCommand(args: readonly string[], process: ShellProcess): Promise<number> {
  const { shell, close } = processShell(process)
  try {
    await makeProgram(shell).parseAsync([...args], { from: 'user' })
    return shell.exitCode
  } catch (error) {
    return report(error, args, shell)
  } finally {
    close()
  }
}

/** Prints an error and returns the exit code for it. */
function report(error: unknown, args: readonly string[], shell: Shell): number {
  if (error instanceof CommanderError) return reportUse(error, args, shell)
  const { aborted, reason } = shell.signal
  if (reason === READER_GONE) return EXIT.done
  if (reason instanceof Error) return EXIT.failed // the shell has reported it
  // A question is also aborted by Ctrl+C and Ctrl+D, which a terminal then does not turn into a signal.
  if (isAbort(error) || (aborted && !isRowkeyError(error))) {
    shell.warn('rowkey: interrupted.\n')
    return EXIT.interrupted
  }
  if (!isRowkeyError(error) && !isSystemError(error)) throw error
  const isMisused = error instanceof InputError && !OF_FILES.has(error.code)
  warnOf(isRowkeyError(error) ? error : { name: error.name, message: error.message }, args, shell)
  return isMisused ? EXIT.misused : EXIT.failed
}

/** Prints an error: with `--json` as one document, else in one line. */
function warnOf(
  error: Pick<Error, 'name' | 'message'>,
  args: readonly string[],
  shell: Shell,
): void {
  const isJson = args.includes('--json')
  const message = `${inOptions(error.message)}${reasonIn(error)}`
  shell.warn(isJson ? `${JSON.stringify({ error })}\n` : `rowkey: ${withoutControls(message)}\n`)
}

/** Why no token came: only the credential knows. */
function reasonIn(error: object): string {
  const { code, cause }: { readonly code?: unknown; readonly cause?: unknown } = error
  return code === 'CredentialUnavailable' && cause instanceof Error ? ` ${cause.message}` : ''
}

/** Codes of input errors that arise from files, rows, ports or what is installed, not from the arguments. */
const OF_FILES: ReadonlySet<string> = new Set([
  'BuildIncomplete',
  'DamagedBackup',
  'DefinitionChanged',
  'MissingDependency',
  'NotReadable',
  'PortTaken',
  'UnreadableInput',
  'UnsortedRows',
])

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** An error of the operating system, such as a missing file. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

/** Reports a mistake in the use of the command, in one line, without a value that could be a secret. */
function reportUse(error: CommanderError, args: readonly string[], shell: Shell): number {
  if (error.exitCode === 0) return EXIT.done // help and version
  if (error.code === 'commander.help') return EXIT.misused // without a command, the help was printed
  const text = error.message
    .replace('error: ', '')
    .replace(/^(unknown option '[^=]*)=[\s\S]*$/, "$1'") // what follows could be a secret
    .replace(/^unknown command '[\w-]*[^\w'-][\s\S]*$/, 'unknown command') // it could be a target
  const [first = '', ...more] = text.split('\n')
  const message = [`${first.replace(/\.?$/, '.')}`, ...more].join(' ')
  const command = args.find((arg) => /^[a-z]+$/.test(arg)) ?? ''
  const help = `See rowkey ${error.code === 'commander.unknownCommand' ? '' : `${command} `}--help.`
  const whole = `${message} ${help.replace('  ', ' ')}`
  warnOf(cliInputError('InvalidArgument', whole), args, shell)
  return EXIT.misused
}
