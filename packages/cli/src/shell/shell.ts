/** What a command needs of the process that it runs in. */
export interface Shell {
  /** The standard input. */
  readonly input: AsyncIterable<Uint8Array | string>
  /** The environment variables. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The current folder. */
  readonly folder: string
  /** Whether a person can answer questions and watch progress. */
  readonly isInteractive: boolean
  /** Aborts when the process is asked to stop, or when the reader of its output goes away. */
  readonly signal: AbortSignal
  /** Set by a command that succeeds with another code than 0. */
  exitCode: number
  /** Prints a result; resolves when there is room for more. */
  print(text: string | Uint8Array): Promise<void>
  /** Prints a warning or an error. */
  warn(text: string): void
  /** Shows a text in the last line of a terminal, in place of the text before. An empty one removes it. */
  showProgress(text: string): void
  /** Asks a question and returns the answer. */
  ask(question: string): Promise<string>
  /** The clock: milliseconds since 1970. */
  now(): number
}

/** The exit codes, as docs/command.md has them. */
export const EXIT = { done: 0, failed: 1, misused: 2, different: 3, interrupted: 130 } as const

/**
 * Prints a value as one line of JSON on the standard output.
 *
 * @param shell - the standard output
 * @param value - plain JSON
 */
export function printJson(shell: Shell, value: object): Promise<void> {
  return shell.print(`${JSON.stringify(value)}\n`)
}
