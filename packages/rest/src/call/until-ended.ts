import type { Sleep } from '../wait/sleep.ts'

/** A call, and what ends it. */
interface EndingCall {
  readonly service: { readonly sleep: Sleep }
  /** Milliseconds until the deadline. */
  readonly left: number
  /** Calls a listener when the signal aborts, or the account is closed. */
  whenStopped(listener: (reason: unknown) => void): () => void
}

/** Waits for a promise that does not reject, or until a call has to end. */
export async function untilEnded(call: EndingCall, pending: Promise<unknown>): Promise<void> {
  const waited = new AbortController()
  let release: (() => void) | undefined
  await new Promise<unknown>((resolve) => {
    void pending.then(resolve)
    release = call.whenStopped(resolve)
    void isLate(call, waited.signal).then((late) => late && resolve(late))
  })
  release?.()
  waited.abort()
}

/** Waits for the deadline; `false` without one, and when something else has ended the wait. */
async function isLate(call: EndingCall, waited: AbortSignal): Promise<boolean> {
  let before = Number.POSITIVE_INFINITY
  // A timer may fire early, and a clock may be set back. While the clock of a test stands still, the deadline never passes.
  while (call.left > 0 && call.left !== before) {
    before = call.left
    await call.service.sleep(before, waited)
    if (waited.aborted) return false
  }
  return call.left <= 0
}
