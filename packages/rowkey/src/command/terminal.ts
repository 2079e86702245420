import type { Environment } from './serve-options.ts'

/** The outside of the command: its output, and the request to stop. */
export interface Terminal {
  /** The variables of the environment. */
  readonly environment: Environment
  /** Prints a result. */
  print(text: string): void
  /** Prints a warning or an error. */
  warn(text: string): void
  /** Resolves when the process is asked to stop. */
  stopped(): Promise<void>
}
