import type { StoredMember } from '../member/stored-member.ts'

/**
 * The options of the times that a model keeps.
 *
 * @example
 * ```ts
 * @Entity({ name: 'notes', createdAt: 'madeOn', updatedAt: 'changedOn' })
 * class Note {
 *   @PartitionKey() user = ''
 *   @RowKey() id = ''
 *   @DateTime() madeOn?: Date
 *   @DateTime() changedOn?: Date
 * }
 * ```
 */
export interface TimeOptions<Name extends string = string> {
  /**
   * The property with the time when the row was made, a DateTime. Rowkey sets it when it stores a new row, and never changes it: what
   * callers give is not stored.
   */
  readonly createdAt?: Name | undefined
  /** The property with the time of the last write by a program with this model, a DateTime. Rowkey sets it in each write. */
  readonly updatedAt?: Name | undefined
}

/** The stored properties with the times that a model keeps. */
export interface RowTimes {
  /** That with the time when the row was made. */
  readonly createdAt?: TimeColumn | undefined
  /** That with the time of the last write. */
  readonly updatedAt?: TimeColumn | undefined
}

/** A property with a time. */
export interface TimeColumn extends StoredMember {
  /** The property in the class or schema. */
  readonly property: string
  /** `Class.member`, for messages. */
  readonly label: string
}
