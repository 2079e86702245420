/**
 * Tells a listener something. What it throws is dropped: a call must not fail because of someone who
 * only watches.
 *
 * @param listener - who is told
 * @param what - what it is told
 */
export function tell<What>(listener: (what: What) => void, what: What): void {
  try {
    listener(what)
  } catch {
    // It is the listener's own affair.
  }
}
