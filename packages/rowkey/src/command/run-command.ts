import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { InputError, isRowkeyError } from '@rowkey/odata'
import { HELP_TEXT } from './help-text.ts'
import { invalidCommand } from './invalid-command.ts'
import { serve } from './serve.ts'
import { parseServeOptions } from './serve-options.ts'
import type { Terminal } from './terminal.ts'

/** Runs a command of `@rowkey/cli`, with all arguments, and returns its exit code. */
export type RunCli = (command: string, args: readonly string[]) => Promise<number>

/**
 * Runs the `rowkey` command.
 *
 * @param args - the arguments, without the names of the program
 * @param terminal - prints, and reports when to stop
 * @param runCli - runs the commands of `@rowkey/cli`
 * @returns the exit code: 0, 1 for a failure, 2 for invalid arguments
 */
export async function runCommand(
  args: readonly string[],
  terminal: Terminal,
  runCli: RunCli,
): Promise<number> {
  try {
    const named = args[0] === 'help' ? args[1] : args[0]
    if (named !== undefined && isOfCli(named)) return await runCli(named, args)
    await run(args, terminal)
    return 0
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    const isMisused = error instanceof InputError && error.code !== 'MissingDependency'
    const message = error.message.replaceAll('\n', '\\n')
    terminal.warn(`rowkey: ${message}${isMisused ? ' See rowkey --help.' : ''}\n`)
    return isMisused ? 2 : 1
  }
}

/** Tells whether a command is of `@rowkey/cli`, which knows its commands. Other texts may contain a key. */
function isOfCli(command: string): boolean {
  return /^[a-z]+$/.test(command) && command !== 'serve' && command !== 'help'
}

async function run([command, ...rest]: readonly string[], terminal: Terminal): Promise<void> {
  const wantsHelp = rest.includes('--help') || rest.includes('-h')
  switch (command) {
    case undefined:
    case '--help':
    case '-h':
    case 'help':
      return terminal.print(HELP_TEXT)
    case '--version':
    case '-v':
      return terminal.print(`${readVersion()}\n`)
    case 'serve':
      if (wantsHelp) return terminal.print(HELP_TEXT)
      return serve(parseServeOptions(rest, terminal.environment), terminal)
    default: {
      const kind = command.startsWith('-') ? 'option' : 'command'
      // The rest may contain a key.
      const [name] = command.split('=', 1)
      throw invalidCommand(`Unknown ${kind} '${name}'.`)
    }
  }
}

/** Finds the package by its name, because bundling moves this file to another folder. */
function readVersion(): string {
  const path = createRequire(import.meta.url).resolve('rowkey/package.json')
  const { version } = JSON.parse(readFileSync(path, 'utf8')) as { readonly version: string }
  return version
}
