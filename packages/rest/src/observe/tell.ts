/**
 * Calls a listener. Drops what it throws, and what its promise rejects with: an observer must not
 * fail a call or end the process.
 *
 * @param listener - the listener
 * @param what - its argument
 */
export function tell<What>(listener: (what: What) => unknown, what: What): void {
  try {
    const told = listener(what)
    if (told !== undefined) Promise.resolve(told).catch(drop)
  } catch {
    // The error is the listener's own.
  }
}

function drop(): void {}
