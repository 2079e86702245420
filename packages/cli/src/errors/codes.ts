import { InputError } from '@rowkey/odata'

/**
 * The errors that `@rowkey/cli` itself throws, by code: when they occur and what to do.
 *
 * @internal docs/errors.md shows it.
 */
export const cliErrorCodes = {
  DamagedBackup: {
    class: 'InputError',
    when: 'A folder is not a backup, not one of this account, or its files are not as the manifest says.',
    fix: 'Run `rowkey verify`, and use an undamaged copy, or another folder.',
  },
  ExistingRow: {
    class: 'InputError',
    when: 'An import or a copy found a stored row with the same key and other values.',
    fix: 'Choose with `--on-existing` what happens to rows that exist: `skip`, `replace` or `merge`.',
  },
  InvalidArgument: {
    class: 'InputError',
    when: 'A command of `rowkey` received an invalid argument or option.',
    fix: 'Run `rowkey <command> --help`.',
  },
  MissingDependency: {
    class: 'InputError',
    when: '`rowkey studio` needs `@rowkey/studio`, which is not installed.',
    fix: 'Run `npm install @rowkey/studio` beside `@rowkey/cli`.',
  },
  MissingTarget: {
    class: 'InputError',
    when: 'A command of `rowkey` does not know which account to open, or its folder does not exist.',
    fix: 'Give `--target`, or set `AZURE_STORAGE_CONNECTION_STRING` or `ROWKEY_TARGET` in the environment or in a file `.env`.',
  },
  NotConfirmed: {
    class: 'InputError',
    when: 'A command of `rowkey` would change a stored row, and was not allowed to.',
    fix: 'Give `--write`. `--dry-run` shows what would change.',
  },
  PortTaken: {
    class: 'InputError',
    when: 'The port of `rowkey studio` is taken, or the process may not use it.',
    fix: 'Give another `--port`; 0 selects a free one.',
  },
  ResumeMismatch: {
    class: 'InputError',
    when: 'A file with the position of an interrupted command belongs to other options, or to other content of the input.',
    fix: 'Run the command as it was, or delete the file that the message names and begin anew.',
  },
  UnreadableInput: {
    class: 'InputError',
    when: 'A file or a line of it cannot be read as rows.',
    fix: 'Correct the line that the message names, or give the right `--format`.',
  },
  UnsortedRows: {
    class: 'InputError',
    when: '`rowkey diff` read rows that do not come in the order of keys, as from Cosmos DB under a name of your own.',
    fix: 'Give `--flavour cosmos`, or `--to-flavour cosmos` for the second account.',
  },
} as const

/** A code of `cliErrorCodes`. */
export type CliErrorCode = keyof typeof cliErrorCodes

/** Makes an InputError whose code is in `cliErrorCodes`. */
export function cliInputError(code: CliErrorCode, message: string, cause?: unknown): InputError {
  return new InputError({ code, message, ...(cause !== undefined && { cause }) })
}
