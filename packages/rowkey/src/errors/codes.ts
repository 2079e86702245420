import { type CodedInputError, InputError } from '@rowkey/odata'

/**
 * The errors that `rowkey` itself throws, by code: when they occur and what to do.
 *
 * @internal docs/errors.md shows it.
 */
export const rowkeyErrorCodes = {
  ContradictingOption: {
    class: 'InputError',
    when: '`connect` received one option twice, with two values: in its target and in its second argument.',
    fix: 'Give the option once.',
  },
  InvalidCommand: {
    class: 'InputError',
    when: 'The `rowkey` command received an unknown command or option, or an invalid value.',
    fix: 'Run `rowkey --help`.',
  },
  InvalidTarget: {
    class: 'InputError',
    when: '`connect` received a target of an unknown kind.',
    fix: "Give `'memory:'`, `'file:./data'`, a connection string, a URL with a shared access signature, or `{ endpoint, credential }`.",
  },
  MissingDependency: {
    class: 'InputError',
    when: 'The embedded service, or a compiler for `rowkey/vite`, could not be loaded: it is not installed, or a bundle leaves it out.',
    fix: "Install `rowkey` with its dependencies, and add `import 'rowkey/embedded'` to a program that is bundled. For the plugin install `esbuild`.",
  },
} as const

/** A code of `rowkeyErrorCodes`. */
export type RowkeyErrorCode = keyof typeof rowkeyErrorCodes

/** Makes an InputError whose code is in `rowkeyErrorCodes`. */
export function rowkeyInputError(options: CodedInputError<typeof rowkeyErrorCodes>): InputError {
  return new InputError(options)
}

/** Makes the error of a command that was called in a wrong way; the message says how to correct it. */
export const invalidCommand = (message: string): InputError =>
  rowkeyInputError({ code: 'InvalidCommand', message })
