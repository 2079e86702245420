import { type CodedInputError, InputError } from '@rowkey/odata'

/**
 * The errors that the embedded service throws, by code: when they occur and what to do.
 *
 * @internal docs/errors.md shows it.
 */
export const localErrorCodes = {
  InvalidAccount: {
    class: 'InputError',
    when: 'An account has an invalid name or key, more than two keys, or is not an account of the service.',
    fix: 'Give `{ name, key }`: a name of 3 to 24 lower-case letters and digits, and a key in base64.',
  },
  InvalidSeed: {
    class: 'InputError',
    when: 'The first rows of tables are not JSON, or a name, a key or a value is one that the service rejects.',
    fix: 'Give an object with a list of rows for each table: `{ "people": [{ "PartitionKey": "a", "RowKey": "b" }] }`.',
  },
  InvalidStoreFolder: {
    class: 'StoreError',
    when: 'The path of a durable store is a file, cannot be made, or holds something else, another format or tables of another flavour.',
    fix: 'Give an empty folder or a new one. Open tables with the flavour that they were made with.',
  },
  ListenFailed: {
    class: 'ListenError',
    when: 'The port is taken, the address is not one of this machine, or the process may not listen there.',
    fix: 'Free the port or give another. Port 0 takes a free one.',
  },
  StoreAccessFailed: {
    class: 'StoreError',
    when: 'The system refused to read or write the folder: the disk is full, read-only or not yours.',
    fix: 'Mend what the message names. What was acknowledged is kept, and reads go on.',
  },
  StoreClosed: {
    class: 'StoreError',
    when: 'A durable store was used after it was closed.',
    fix: 'Make a new service.',
  },
  StoreCorrupted: {
    class: 'StoreError',
    when: 'Files of the folder were changed, lost or cut off.',
    fix: 'Replace the whole folder by a backup.',
  },
  StoreEngineMissing: {
    class: 'StoreError',
    when: 'A folder was opened, and the package of its engine, classic-level, is not installed.',
    fix: 'Run `npm install classic-level`, or the same command of another package manager, with `--global` if Rowkey was.',
  },
  StoreLocked: {
    class: 'StoreError',
    when: 'Another service has the folder open, in this process, in another one or in another thread.',
    fix: 'Close the other service, share its account, or give another folder.',
  },
  UnsupportedRuntime: {
    class: 'InputError',
    when: 'A browser or a worker was asked to listen or to open a folder.',
    fix: 'Use the service in memory and its transport there, or run this part on Node, Bun or Deno.',
  },
} as const

/** A code of `localErrorCodes`. */
export type LocalErrorCode = keyof typeof localErrorCodes

/** Makes an InputError whose code is in `localErrorCodes`. */
export function localInputError(options: CodedInputError<typeof localErrorCodes>): InputError {
  return new InputError(options)
}
