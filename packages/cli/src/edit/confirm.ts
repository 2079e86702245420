import type { Command } from 'commander'
import { cliInputError } from '../errors/codes.ts'
import type { Shell } from '../shell/shell.ts'

/** The options of commands that change rows. */
export interface ConfirmOptions {
  readonly write?: true
  readonly yes?: true
  readonly dryRun?: true
}

/** Adds the options of {@link ConfirmOptions} to a command. */
export function withConfirm(command: Command): Command {
  return command
    .option('--write', 'allows the command to write')
    .option('--yes', 'asks no question')
    .option('--dry-run', 'shows what would change, and writes nothing')
}

/**
 * Tells whether a command may write. It asks where a person is there.
 *
 * @param shell - asks
 * @param options - of the command
 * @param what - what is written, and where: `delete writes to people of contoso…`
 * @param question - such as `Write this?`
 * @throws InputError with the code `NotConfirmed` without `--write`
 */
export async function isConfirmed(
  shell: Shell,
  { write, yes, dryRun }: ConfirmOptions,
  what: string,
  question: string,
): Promise<boolean> {
  if (dryRun) return false
  if (!write) {
    throw cliInputError(
      'NotConfirmed',
      `rowkey ${what}. Give --write to allow it, or --dry-run to see what would change.`,
    )
  }
  if (!shell.isInteractive || yes) return true
  return /^y(?:es)?$/i.test((await shell.ask(`${question} [y/N] `)).trim())
}
