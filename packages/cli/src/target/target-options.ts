import type { Flavour } from '@rowkey/rest'
import { type Command, Option } from 'commander'

/** The account that a command opens. */
export interface Target {
  readonly target?: string | undefined
  /** The kind of service; the one that the target tells when absent. */
  readonly flavour?: Flavour | undefined
  /** How to sign in at an address without a credential. */
  readonly auth?: 'entra' | undefined
}

/** The options of every command that opens an account. */
export interface TargetOptions extends Target {
  readonly json?: true
}

/**
 * Makes an option whose values are the kinds of services.
 *
 * @param flags - its name
 * @param description - what it is for
 */
export function flavourOption(flags: string, description: string): Option {
  const flavours: readonly Flavour[] = ['storage', 'cosmos']
  return new Option(flags, description).choices(flavours)
}

/**
 * Makes an option whose value is a way to sign in.
 *
 * @param flags - its name
 * @param description - what it is for
 */
export function authOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(['entra'])
}

/** Adds `--target` to a command whose rows have formats of their own. */
export function withTargetOnly(command: Command): Command {
  return command
    .option(
      '-t, --target <target>',
      "the account: a connection string, a URL with a signature, a folder, 'azurite' or '@profile'",
    )
    .addOption(flavourOption('--flavour <kind>', 'the service, where its address does not tell'))
    .addOption(
      authOption('--auth <way>', 'signs in by Entra ID at an address without a credential'),
    )
}

/** Adds the options of {@link TargetOptions} to a command. */
export function withTarget(command: Command): Command {
  return withTargetOnly(command).option('--json', 'prints one JSON document')
}
