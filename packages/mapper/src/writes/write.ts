import { type Change, insertOrMergeEntity } from '@rowkey/rest'
import type { Row } from '../member/row.ts'
import { memberJson, readMember } from '../member/stored-member.ts'
import type { RowRule } from '../model/row-rule.ts'
import type { TimeColumn } from '../model/row-times.ts'
import type { WrittenObject } from '../snapshot/written-object.ts'

/** One write, from the call that makes it to the request: see {@link Writes} for the steps that fill it. */
export interface Write extends Change {
  /** The row that is sent; `undefined` for a read, and for a delete. */
  readonly row?: Row | undefined
  /** The object that is written or deleted, and what its snapshot needs; absent for a read, and when only a key is known. */
  readonly object?: WrittenObject | undefined
  /**
   * Checks the stored row before it is changed; absent when any row will do. The write is then bound to the version of the row that
   * passed the check.
   */
  readonly check?: RowRule | undefined
  /**
   * Present when only the stored row tells when it was made. The write is then bound to that row, or to its absence.
   */
  readonly creation?: Creation | undefined
  /**
   * Makes the same write when the earlier write of its object has ended, by the ETag of the version that this one left; absent when
   * it depends on no earlier write.
   *
   * @throws InputError when the write cannot be made of that version
   */
  readonly inTurn?: (() => Write) | undefined
  /**
   * The stored row that it starts from: none, because it makes the row (`'new'`), or a row. It is `'stored'` until that row is read, and
   * when it cannot succeed. Absent when it is sent whatever is stored.
   */
  readonly start?: 'new' | 'stored' | Row | undefined
  /** The caller gave no condition, so the write is bound again when the row changes first. */
  readonly isFree?: boolean | undefined
  /** Why the row must not be changed. */
  readonly refusal?: unknown
}

/** The time when a row was made, for a write that may make it. */
export interface Creation {
  /** The property with the time. */
  readonly column: TimeColumn
  /** The time, if this write makes the row. */
  readonly now: Date
  /** What the object shows. */
  readonly given: unknown
}

/**
 * Completes a write with the time when its row was made. A merge into an existing row leaves that time alone.
 *
 * @param stored - the row that the write starts from; `undefined` when it makes the row
 */
export function withCreation(write: Write, stored: Row | undefined): Write {
  const { creation, input, operation, object } = write
  if (creation === undefined || write.row === undefined) return write
  const { column, now: time, given } = creation
  const made = stored === undefined ? time : timeIn(column, stored)
  const isLeft = stored !== undefined && operation === insertOrMergeEntity
  const text = isLeft || made === undefined ? '' : memberJson(column.member, 'DateTime', made)
  const row = write.row.with(text)
  const { property: member } = column
  const others = object?.changes?.filter((each) => each.member !== member) ?? []
  const changes = [...others, { member, given, made }]
  return {
    ...write,
    input: { ...input, body: row.text },
    row,
    object: object && { ...object, row, changes },
    creation: undefined,
  }
}

/** Returns a time that a row stores; `undefined` without one. */
export function timeIn(column: TimeColumn, { raw }: Row): Date | undefined {
  const value = readMember(column, raw, column.label)?.value
  return value instanceof Date ? value : undefined
}

/**
 * Records a replace as a merge for its idempotency key. A repetition may find a row that a merge can
 * change, and then merges.
 */
export function asMerge(write: Write): Write {
  const { inTurn } = write
  const merge = { ...write, input: { ...write.input, knownAs: 'mergeEntity' } }
  return inTurn === undefined ? merge : { ...merge, inTurn: () => asMerge(inTurn()) }
}

/**
 * An ETag that no row has. The service rejects the write of a missing row with 404, and a row that another program
 * stores first with 412.
 */
export const NO_VERSION = `W/"datetime'1601-01-01T00%3A00%3A00.0000000Z'"`
