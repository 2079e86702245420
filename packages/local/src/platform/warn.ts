/** Warns the owner of the process of an error that no caller waits for. */
export function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
