import { parseEntityObject, type SentBody } from '@rowkey/odata'
import { type LoadedState, loadedRaw, loadedState } from './loaded-state.ts'
import { overlay } from './overlay.ts'

type Unread = LoadedState['unread']

const NOTHING = { raw: undefined, projected: false, unread: 'never' } as const

/**
 * What is known of the stored entity after a write that succeeded.
 *
 * @param entity - the object that was written, with what was known before
 * @param etag - the ETag that the write gave it
 * @param sent - the body, when it is known
 */
export function stateAfter(
  entity: object,
  etag: string | undefined,
  sent: SentBody | undefined,
): LoadedState {
  const state = loadedState(entity)
  if (sent === undefined) return { ...(state ?? NOTHING), etag }
  const raw = overlay(loadedRaw(entity), sent)
  if (sent.whole) return { raw, etag, projected: false }
  const doubtful = state?.doubtful && without(state.doubtful, sent)
  const projected = state?.projected === true
  const unread = unreadAfter(state, sent)
  return { raw, etag, projected, unread, defaults: state?.defaults, doubtful }
}

/**
 * What is known of the stored entity while a write is in doubt. The key, the types and what the class
 * does not declare stay as they were read, for a replace; the values are not gone by.
 *
 * @param entity - the object that was to be written
 * @param names - every stored name that the class declares
 * @param sent - the body that may be stored
 * @returns `undefined` when nothing was known before
 */
export function stateInDoubt(
  entity: object,
  names: ReadonlySet<string>,
  sent: SentBody | undefined,
): LoadedState | undefined {
  const state = loadedState(entity)
  if (state === undefined) return undefined
  const maybe = new Set(sent && membersIn(sent))
  const defaults = state.defaults && [...state.defaults].filter(([name]) => !maybe.has(name))
  const unread = sent === undefined ? state.unread : unreadAfter(state, sent)
  return { ...state, defaults: defaults && new Map(defaults), doubtful: names, unread }
}

/** A merge leaves alone what it does not hold: that is known where the version before was. */
function unreadAfter(state: LoadedState | undefined, { whole, onto }: SentBody): Unread {
  if (state === undefined) return 'never'
  const isKnown = whole || (onto !== undefined && onto === state.etag)
  return isKnown ? state.unread : (state.unread ?? 'since')
}

function without(names: ReadonlySet<string>, sent: SentBody): ReadonlySet<string> {
  const left = new Set(names)
  for (const name of membersIn(sent)) left.delete(name)
  return left
}

function membersIn({ body }: SentBody): string[] {
  return Object.keys(parseEntityObject(body))
}
