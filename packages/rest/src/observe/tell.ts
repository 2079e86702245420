/**
 * Tells a listener something. What it throws is dropped, and so is what its promise rejects with: a
 * call must not fail, nor the process end, because of someone who only watches.
 *
 * @param listener - who is told
 * @param what - what it is told
 */
export function tell<What>(listener: (what: What) => unknown, what: What): void {
  try {
    const told = listener(what)
    if (told !== undefined) Promise.resolve(told).catch(drop)
  } catch {
    // It is the listener's own affair.
  }
}

function drop(): void {}
