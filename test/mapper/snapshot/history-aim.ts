import type { Call } from './history-call.ts'
import { type Column, isSameValue, type Kind, shownBy } from './history-kinds.ts'
import { isReadIn, type Knowledge, knownIn, type TrackedObject } from './history-object.ts'
import type { StoredRow } from './history-rows.ts'

/** The writes of a table. */
export type WriteKind =
  | 'insert'
  | 'merge'
  | 'replace'
  | 'insertOrMerge'
  | 'insertOrReplace'
  | 'delete'

/** The ETag of a write: the object's own, `'*'`, or one that the caller gives. An insert has none. */
export type ETagMode = 'own' | 'past' | 'given' | 'none'

/** One write of one object: what it may change, and what it must have stored when it is done. */
export interface Aim {
  readonly object: TrackedObject
  readonly kind: Kind
  readonly place: string
  readonly how: WriteKind
  readonly mode: ETagMode
  /** What the object showed when the write began. */
  readonly shown: ReadonlyMap<string, string | undefined>
  /** What it knew of this row then. */
  readonly knowledge: Knowledge
  /** What it knew at the call, for a write that waited for earlier ones. */
  readonly atCall?: Knowledge
  /** Whether it knew anything of this row. */
  readonly isBound: boolean
  /** The properties that the write may send. */
  readonly maySend: ReadonlySet<string>
  /** The properties whose stored values may change. */
  readonly mayChange: ReadonlySet<string>
  /** The properties that the row must hold, as the object shows them, after the write. */
  readonly must: ReadonlySet<string>
  /** The row when the write began. */
  readonly before: StoredRow | undefined
  /** The write is safe: it must succeed. */
  readonly isSafe: boolean
  /** The properties that were set when the write began. */
  readonly touched: ReadonlySet<string>
  /** What the writes send that are pending when this one is called, by property. */
  readonly pending: ReadonlyMap<string, readonly (string | undefined)[]>
}

/** Whether a write puts the object in the place of the row. */
export function isWhole(how: WriteKind): boolean {
  return how === 'insert' || how === 'replace' || how === 'insertOrReplace'
}

/**
 * Returns what a write may and must do, before it begins.
 *
 * @param place - where the object's key says that its row is, in the table that it is written to
 * @param row - what is stored there now
 */
export function aimOf(
  object: TrackedObject,
  how: WriteKind,
  mode: ETagMode,
  place: string,
  row: StoredRow | undefined,
): Aim {
  const { kind } = object
  const knowledge = object.isBeingDeleted(place)
    ? { ...object.knowledge, isVague: true }
    : object.knowledge
  const shown = shownBy(kind, object.entity)
  const isHere = knowledge.place === place
  const isBound = isHere && knowledge.origin === 'known'
  const doubtful = object.doubtful(place)
  const changed = new Set([...object.touched, ...doubtful])
  const all = kind.columns.map(({ property }) => property)
  // A whole write past others replaces everything, unless the object is a projection.
  const isEverything =
    !isBound || ((isWhole(how) || how === 'insertOrMerge') && knowledge.selected === undefined)
  const known = isEverything
    ? new Set(all)
    : new Set(all.filter((property) => isReadIn(knowledge, property) || changed.has(property)))
  const isNarrow = isBound && !knowledge.isVague
  const isOwnCopy = mode === 'own' && isHere && knowledge.origin === 'copy'
  const merges = how === 'merge'
  return {
    object,
    kind,
    place,
    how,
    mode,
    shown,
    knowledge,
    isBound,
    maySend: merges && isNarrow ? changed : known,
    mayChange: isOwnCopy || (isNarrow && (merges || mode === 'own')) ? changed : known,
    must: mustOf(object, {
      place,
      how,
      isHere: isHere && knowledge.origin !== 'copy' && knowledge.origin !== 'new',
      known,
      shown,
      knowledge,
    }),
    before: row,
    isSafe: isSafe(object, how, mode, place, row, shown),
    touched: new Set(object.touched),
    pending: new Map(all.map((property) => [property, object.sent(property, place)])),
  }
}

/**
 * Returns the aim of a write whose earlier writes have ended. It sends what the object showed when the write was called, by what the
 * object knows of the row now; if the object was reloaded meanwhile, by what it would know without that.
 *
 * @param now - the row that is stored, and whether one of the earlier writes left it
 */
export function aimInTurn(
  aim: Aim,
  call: Call,
  { row, isLeft }: { readonly row: StoredRow | undefined; readonly isLeft: boolean },
): Aim {
  const { object, place } = aim
  // An earlier write may have been of another row: what the object knew of this one when the write was called still holds.
  const isElsewhere = aim.isBound && object.knowledge.place !== place
  const knowledge = object.isUnseen(call) || isElsewhere ? doubting(aim) : object.knowledge
  const isHere = knowledge.place === place && knowledge.origin === 'known'
  // A write past others carries what the object knew at its call; one by the ETag takes the version that the earlier write left, also past a reload.
  const isBound = aim.mode === 'own' ? isHere || isLeft : isHere && aim.knowledge.place === place
  // What the object carried was taken at the call.
  const maybeCarried = aim.knowledge.carried ?? knowledge.maybeCarried
  const now = { ...knowledge, maybeCarried }
  return { ...aim, knowledge: now, atCall: aim.knowledge, isBound, before: row, isSafe: false }
}

/** What an object knew when a write was called, when any of the earlier writes may have been applied. */
function doubting({ knowledge, pending, object }: Aim): Knowledge {
  const doubts = new Map(knowledge.doubts)
  for (const [property, texts] of pending) {
    const known = isReadIn(knowledge, property) ? [knownIn(knowledge, object.kind, property)] : []
    doubts.set(property, new Set([...(doubts.get(property) ?? known), ...texts]))
  }
  return { ...knowledge, doubts }
}

interface Musts {
  readonly place: string
  readonly how: WriteKind
  /** The object knows of this row, or knew of it before it deleted it. */
  readonly isHere: boolean
  readonly known: ReadonlySet<string>
  readonly shown: ReadonlyMap<string, string | undefined>
  readonly knowledge: Knowledge
}

function mustOf(
  object: TrackedObject,
  { how, place, isHere, known, shown, knowledge }: Musts,
): ReadonlySet<string> {
  if (how === 'delete') return new Set()
  const isPart = knowledge.selected !== undefined
  if (isWhole(how) && !isPart) return new Set(shown.keys())
  const isVisible = (property: string) => shown.get(property) !== undefined
  if (!isHere || isWhole(how) || how === 'insertOrMerge') {
    const isOfSchema = (property: string) =>
      isHere && how === 'insertOrMerge' && columnOf(object, property)?.isDefault === true
    const isLeft = (property: string) =>
      (isPart || isOfSchema(property)) && isDefault(object, property, shown)
    return new Set([...known].filter((each) => isVisible(each) && !isLeft(each)))
  }
  // A merge must store what the caller set, unless the same value was known to be stored. It can only know that
  // a value was removed when that value was known to be stored.
  const isOwed = (property: string) => {
    const isOther = (text: string | undefined) => !isSameValue(text, shown.get(property))
    const isInDoubt = !knowledge.isVague && object.possible(property, place).some(isOther)
    // From a row that it deleted, an object has nothing to remove.
    if (!isVisible(property) && knowledge.origin === 'deleted') return false
    if (!isVisible(property) && !isInDoubt)
      return object.known(property) !== undefined && isReadIn(knowledge, property)
    const isSame =
      isSameValue(shown.get(property), object.known(property)) || isDefault(object, property, shown)
    return isInDoubt || !isReadIn(knowledge, property) || !isSame
  }
  return new Set([...object.touched].filter(isOwed))
}

function columnOf({ kind }: TrackedObject, property: string): Column | undefined {
  return kind.columns.find((each) => each.property === property)
}

/** An object shows a default that is not stored. It cannot tell whether a caller set that same value. */
function isDefault(object: TrackedObject, property: string, shown: Aim['shown']): boolean {
  const column = columnOf(object, property)
  const isStored = object.known(property) !== undefined
  return !isStored && column?.fallback !== undefined && shown.get(property) === column.fallback
}

/** Whether an object that knows all of its row is written with its own ETag, and no rival wrote the row. */
function isSafe(
  object: TrackedObject,
  how: WriteKind,
  mode: ETagMode,
  place: string,
  row: StoredRow | undefined,
  shown: ReadonlyMap<string, string | undefined>,
): boolean {
  const { knowledge, kind } = object
  if (object.isFrozen) return false
  if (mode !== 'own' || knowledge.place !== place || knowledge.origin !== 'known') return false
  if (knowledge.base !== row || row === undefined || knowledge.written.size > 0) return false
  if (object.doubtful(place).size > 0 || knowledge.isVague) return false
  // After a pending write by another ETag, the object knows only what that write sends.
  const pending = [...object.inFlight.keys()].flatMap(({ aims }) => aims)
  if (pending.some((aim) => aim.object === object && aim.mode !== 'own')) return false
  if (!kind.reads(row.properties) || kind.isBlocked(row.properties)) return false
  // Between versions a merge may be impossible where a replace is fine.
  const isOwnVersion = [...kind.marks].every(([name, text]) => row.properties.get(name) === text)
  if (!isOwnVersion && how !== 'replace') return false
  if (how === 'merge') {
    const removes = [...object.touched].some(
      (property) => shown.get(property) === undefined && knownIn(knowledge, kind, property),
    )
    return !removes && (knowledge.isWhole || knowledge.selected !== undefined)
  }
  return knowledge.isWhole
}
