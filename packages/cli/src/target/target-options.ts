import type { Command } from 'commander'

/** The options of every command that opens an account. */
export interface TargetOptions {
  readonly target?: string
  readonly json?: true
}

/** Adds `--target` to a command whose rows have formats of their own. */
export function withTargetOnly(command: Command): Command {
  return command.option(
    '-t, --target <target>',
    "the account: a connection string, a URL with a signature, a folder, 'azurite' or '@profile'",
  )
}

/** Adds the options of {@link TargetOptions} to a command. */
export function withTarget(command: Command): Command {
  return withTargetOnly(command).option('--json', 'prints one JSON document')
}
