import { annotationName, parseEntityObject, propertyNamesOf, type RawEntity } from '@rowkey/odata'
import { type RowOrigin, rowOf, type Snapshot } from './snapshot.ts'

/** One write, as far as what is known of the row depends on it. */
export interface SentWrite {
  /** The table that it was sent to. */
  readonly origin: RowOrigin
  /** The JSON text that was sent; `undefined` for a delete. */
  readonly body: string | undefined
  /** It was the whole entity: what it does not hold is not stored. Otherwise it was merged. */
  readonly whole: boolean
  /** The ETag that it was conditional on; `undefined` when it went past whatever was stored. */
  readonly onto: string | undefined
}

/** A write that the service applied. */
export interface AppliedWrite {
  readonly write: SentWrite
  /** The ETag that it gave the row; `undefined` when the service told none. */
  readonly etag: string | undefined
}

/**
 * What is known after a write that was applied.
 *
 * @param before - what was known of the same row; `undefined` when nothing was
 */
export function afterWrite(
  before: Snapshot | undefined,
  { write, etag }: AppliedWrite,
): Snapshot | undefined {
  const { origin, body, whole, onto } = write
  // The ETag stays: the next write that is conditional on it learns that the row is gone. Nothing is left
  // that was not selected, and the defaults that the object shows are as unsaved as its other values.
  if (body === undefined) {
    return before && { ...before, partial: false, initial: undefined, deleted: true }
  }
  if (whole) return { origin, row: body, etag, partial: false }
  const isKnownVersion = before !== undefined && onto !== undefined && onto === before.etag
  if (before === undefined || (before.deleted === true && !isKnownVersion)) {
    return { origin, row: body, etag, partial: false, current: namesIn(body) }
  }
  const changes = parseEntityObject(body)
  const { partial, current, doubtful, initial } = before
  const row = overlaid(rowOf(before), changes)
  // A merge leaves alone what it does not hold, so that is known as it was in the version merged into.
  const isSimple = isKnownVersion && !current && !doubtful && !initial
  if (isSimple) return { origin, row, etag, partial }
  const sent = namesOf(changes)
  return {
    origin,
    row,
    etag,
    partial,
    current: isKnownVersion ? current && union(current, sent) : sent,
    doubtful: without(doubtful, sent),
    initial: initial && withoutKeys(initial, sent),
  }
}

/**
 * What is known while a write may or may not have been applied. The ETag stays as it is, so a write that is
 * conditional on it fails if this one was applied.
 *
 * @param before - what was known of the same row; `undefined` when nothing was
 */
export function inDoubt(before: Snapshot | undefined, write: SentWrite): Snapshot | undefined {
  if (before === undefined) return undefined
  const { body, whole, onto } = write
  // Once the row is deleted, its ETag matches nothing.
  if (before.deleted && (body === undefined || (onto !== undefined && onto === before.etag))) {
    return before
  }
  if (body === undefined) return { ...before, maybeDeleted: true }
  const sent = namesIn(body)
  // A whole entity also removes what it does not hold.
  const names = whole ? union(sent, namesOf(rowOf(before))) : sent
  // It may have stored the row again.
  const fate = before.deleted ? { deleted: undefined, maybeDeleted: true } : {}
  return {
    ...before,
    ...fate,
    doubtful: before.doubtful === undefined ? names : union(before.doubtful, names),
    initial: before.initial && withoutKeys(before.initial, sent),
  }
}

/** What is stored after a body was merged into an entity. */
export function afterMerge(before: RawEntity, body: string): RawEntity {
  return overlaid(before, parseEntityObject(body))
}

function overlaid(before: RawEntity, changes: RawEntity): RawEntity {
  const merged: Record<string, unknown> = { ...before }
  // A merge may change a property's type, so the annotation of the old type must go.
  for (const member of Object.keys(changes)) delete merged[annotationName(member)]
  return Object.assign(merged, changes)
}

/** The stored names that a body sends, its key left out. */
export function namesIn(body: string): ReadonlySet<string> {
  return namesOf(parseEntityObject(body))
}

function namesOf(raw: RawEntity): ReadonlySet<string> {
  return new Set(propertyNamesOf(raw))
}

function union(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one, ...other])
}

function without(
  names: ReadonlySet<string> | undefined,
  sent: ReadonlySet<string>,
): ReadonlySet<string> | undefined {
  if (names === undefined) return undefined
  const left = [...names].filter((name) => !sent.has(name))
  return left.length === 0 ? undefined : new Set(left)
}

function withoutKeys(
  texts: ReadonlyMap<string, string>,
  sent: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  return new Map([...texts].filter(([name]) => !sent.has(name)))
}
