/**
 * One listener in the ring of a signal. A Set would be simpler, but one that is never empty leaves its
 * outgrown tables in old memory. There they retain what they held, and each request costs a third more CPU.
 */
interface Link {
  listener: (() => void) | undefined
  before: Link | undefined
  after: Link | undefined
}

/** The listeners of a signal, which share one listener of the signal itself. */
interface Shared {
  /** The ring begins and ends here. */
  readonly ring: Link
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
 *
 * @example
 * ```ts
 * const release = onAbort(signal, () => clearTimeout(timer))
 * release() // when the call has ended
 * ```
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const shared = sharedOf.get(signal) ?? listen(signal)
  const { ring } = shared
  const link: Link = { listener, before: ring.before, after: ring }
  if (ring.before !== undefined) ring.before.after = link
  ring.before = link
  return () => {
    remove(link)
    if (ring.after === ring) release(signal, shared)
  }
}

/** Clears the link too: in old memory, it would keep its neighbours alive. */
function remove(link: Link): void {
  const { before, after } = link
  if (before === undefined || after === undefined) return
  before.after = after
  after.before = before
  link.listener = undefined
  link.before = undefined
  link.after = undefined
}

function listen(signal: AbortSignal): Shared {
  const ring: Link = { listener: undefined, before: undefined, after: undefined }
  ring.before = ring
  ring.after = ring
  const notify = (): void => {
    release(signal, shared)
    for (const listener of listenersIn(ring)) listener()
  }
  const shared: Shared = { ring, notify }
  sharedOf.set(signal, shared)
  signal.addEventListener('abort', notify)
  return shared
}

/** Lists the listeners first, because one of them may remove others. */
function listenersIn(ring: Link): readonly (() => void)[] {
  const listeners: (() => void)[] = []
  for (let link = ring.after; link !== undefined && link !== ring; link = link.after) {
    if (link.listener !== undefined) listeners.push(link.listener)
  }
  return listeners
}

/** Removes the shared listener after the last listener. */
function release(signal: AbortSignal, shared: Shared): void {
  signal.removeEventListener('abort', shared.notify)
  if (sharedOf.get(signal) === shared) sharedOf.delete(signal)
}
