/** Where the command prints, and who stops it. */
export interface Terminal {
  /** Prints what was asked for. */
  print(text: string): void
  /** Prints what is amiss. */
  warn(text: string): void
  /** Resolves when the process is asked to stop. */
  stopped(): Promise<void>
}
