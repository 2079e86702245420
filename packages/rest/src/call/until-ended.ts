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
  let { left } = call
  // A clock of the caller's may stand still: then the deadline never passes.
  for (let before = Number.POSITIVE_INFINITY; left > 0 && left < before; { left } = call) {
    before = left
    await call.service.sleep(left, waited)
    if (waited.aborted) return false
  }
  return left <= 0
}
