import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { InputError, isRowkeyError } from '@rowkey/odata'
import { invalidCommand } from '../errors/codes.ts'
import { HELP_TEXT } from './help-text.ts'
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
    const [first, ...rest] = args
    // `help serve` is `serve --help`.
    const command = first === 'help' ? (rest[0] ?? first) : first
    if (command === undefined || HELP.has(command)) return await printHelp(terminal, runCli)
    if (isOfCli(command)) return await runCli(command, args)
    await run(command, first === command ? rest : ['--help'], terminal)
    return 0
  } catch (error) {
    if (!isRowkeyError(error)) throw error
    const isMisused = error instanceof InputError && error.code !== 'MissingDependency'
    const message = error.message.replaceAll('\n', '\\n')
    terminal.warn(`rowkey: ${message}${isMisused ? ' See rowkey --help.' : ''}\n`)
    return isMisused ? 2 : 1
  }
}

const HELP: ReadonlySet<string> = new Set(['help', '--help', '-h'])

/** Prints the help of all commands, which `@rowkey/cli` has; without it, that of `serve`. */
async function printHelp(terminal: Terminal, runCli: RunCli): Promise<number> {
  try {
    return await runCli('--help', ['--help'])
  } catch (error) {
    if (!isRowkeyError(error) || error.code !== 'MissingDependency') throw error
    terminal.print(HELP_TEXT)
    return 0
  }
}

/** Tells whether a command is of `@rowkey/cli`, which knows its commands. Other texts may contain a key. */
function isOfCli(command: string): boolean {
  return /^[a-z]+$/.test(command) && command !== 'serve'
}

async function run(command: string, rest: readonly string[], terminal: Terminal): Promise<void> {
  switch (command) {
    case '--version':
    case '-v':
      return terminal.print(`${readVersion()}\n`)
    case 'serve':
      if (rest.includes('--help') || rest.includes('-h')) return terminal.print(HELP_TEXT)
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
