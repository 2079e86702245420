import type { Flavour } from '@rowkey/rest'
import type { Command } from 'commander'
import type { Account } from 'rowkey'
import { cliInputError } from '../errors/codes.ts'
import type { Shell } from '../shell/shell.ts'
import { type RowTable, withAccount, withNewAccount } from './open-account.ts'
import { authOption, flavourOption, type TargetOptions, withTarget } from './target-options.ts'

/** The options of a command with two tables. */
export interface PairOptions extends TargetOptions {
  readonly to?: string
  readonly toFlavour?: Flavour
  readonly toAuth?: 'entra'
  readonly toTable?: string
  readonly create?: true
}

/** Adds the options of {@link PairOptions} to a command. */
export function withPair(command: Command): Command {
  return withTarget(command)
    .option('--to <target>', 'the second account, as --target (default: the same account)')
    .addOption(flavourOption('--to-flavour <kind>', 'as --flavour, for the second account'))
    .addOption(authOption('--to-auth <way>', 'as --auth, for the second account'))
    .option('--to-table <name>', 'the second table (default: the same name)')
}

/** Two tables and the places of their accounts. */
export interface TablePair {
  readonly first: RowTable
  readonly second: RowTable
  readonly places: readonly [string, string]
}

/**
 * Opens the tables of a command, and closes their accounts afterwards.
 *
 * @param shell - the environment
 * @param name - the first table
 * @param options - the accounts, and the second table
 * @param use - what to do with the tables
 * @throws InputError with the code `InvalidArgument` when both are the same table
 */
export function withTables<Result>(
  shell: Shell,
  name: string,
  { to, toFlavour, toAuth, toTable = name, create, ...target }: PairOptions,
  use: (pair: TablePair) => Promise<Result>,
): Promise<Result> {
  return withAccount(shell, target, async (one, from) => {
    const open = async (other: Account, place: string): Promise<Result> => {
      const [first, second] = [one.table(name), other.table(toTable)]
      if (from === place && first.parts.origin.table === second.parts.origin.table) {
        throw cliInputError(
          'InvalidArgument',
          'The second table is the first one. Give --to with another account, or --to-table.',
        )
      }
      return use({ first, second, places: [from, place] })
    }
    // A folder can be opened only once.
    if (to === undefined) return open(one, from)
    const openAccount = create ? withNewAccount : withAccount
    return openAccount(shell, { target: to, flavour: toFlavour, auth: toAuth }, open)
  })
}
