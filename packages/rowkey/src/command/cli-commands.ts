import { rowkeyInputError } from '../errors/codes.ts'

/** What this command uses of `@rowkey/cli`. */
export interface CliPackage {
  /**
   * Runs a command.
   *
   * @param args - the command and its arguments
   * @param process - the process
   * @returns the exit code
   */
  runCommand(args: readonly string[], process: NodeJS.Process): Promise<number>
}

/** The package is the user's own: this one neither depends on it nor bundles it. */
const NAME = '@rowkey/cli'

/**
 * Loads `@rowkey/cli`.
 *
 * @param command - the command that needs it, for the message
 * @param load - imports the package
 * @throws InputError with the code `MissingDependency` when it is not installed
 */
export async function loadCli(
  command: string,
  load: (name: string) => Promise<CliPackage> = (name) => import(name),
): Promise<CliPackage> {
  try {
    return await load(NAME)
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw rowkeyInputError({
      code: 'MissingDependency',
      message: `rowkey has no command ${command} of its own. All others are in ${NAME}, which is not installed. Run: npm install ${NAME}`,
      cause,
    })
  }
}

/** Tells whether the package itself is missing, and not one that it imports. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false
  return /MODULE_NOT_FOUND$/.test(String(error.code)) && error.message.includes(`'${NAME}'`)
}
