/** The listeners of a signal, which share one listener of the signal itself. */
interface Shared {
  readonly listeners: Set<() => void>
  readonly notify: () => void
}

const sharedOf = new WeakMap<AbortSignal, Shared>()

/**
 * Calls a listener when a signal aborts. Any number of calls can share a signal: Node warns of a leak at the
 * eleventh listener of a signal, so all of them share one.
 *
 * @param signal - a signal that has not aborted yet
 * @param listener - called once, in the order in which listeners were added
 * @returns a function that removes the listener
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const shared = sharedOf.get(signal) ?? listen(signal)
  shared.listeners.add(listener)
  return () => {
    shared.listeners.delete(listener)
    if (shared.listeners.size === 0) release(signal, shared)
  }
}

function listen(signal: AbortSignal): Shared {
  const listeners = new Set<() => void>()
  const notify = (): void => {
    release(signal, shared)
    for (const listener of [...listeners]) listener()
  }
  const shared: Shared = { listeners, notify }
  sharedOf.set(signal, shared)
  signal.addEventListener('abort', notify)
  return shared
}

/** Removes the shared listener after the last listener. */
function release(signal: AbortSignal, shared: Shared): void {
  signal.removeEventListener('abort', shared.notify)
  if (sharedOf.get(signal) === shared) sharedOf.delete(signal)
}
