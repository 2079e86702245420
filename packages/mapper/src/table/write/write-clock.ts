import type { WriteTimes } from '../../codec/row-codec.ts'
import type { Mapping } from '../../layers/mapping.ts'
import type { Row } from '../../member/row.ts'
import { memberJson } from '../../member/stored-member.ts'
import type { TimeColumn } from '../../model/row-times.ts'
import type { Snapshot } from '../../snapshot/snapshot.ts'
import { type Creation, timeIn } from './entity-change.ts'

/** Gives the writes of a table the times that their models keep. */
export class WriteClock {
  readonly #mapping: Pick<Mapping<object>, 'timesOf'>
  readonly #now: () => number

  /**
   * @param mapping - knows which times the entities keep
   * @param now - the clock of the account: milliseconds since 1970
   */
  constructor(mapping: Pick<Mapping<object>, 'timesOf'>, now: () => number) {
    this.#mapping = mapping
    this.#now = now
  }

  /** Returns the time of a write: one for all that it stores. */
  now(): number {
    return this.#now()
  }

  /** Returns the times of a new row; `undefined` for a model that keeps none. */
  ofNew(entity: object): WriteTimes | undefined {
    return this.#times(entity, this.#now(), (_, now) => now)
  }

  /** Returns the times of a write of a row that the object does not know: {@link WriteClock.creationOf} adds when it was made. */
  ofUnknown(entity: object, now: number): WriteTimes | undefined {
    return this.#times(entity, now, () => undefined)
  }

  /**
   * Returns the times of a write onto a row as the object knows it.
   *
   * @param snapshot - the object's snapshot of the row; `undefined` without one
   */
  onto(
    entity: object,
    snapshot: Snapshot | undefined,
    now: number = this.#now(),
  ): WriteTimes | undefined {
    return this.#times(entity, now, (column) => {
      if (snapshot === undefined) return undefined
      if (snapshot.migrated === undefined) return timeIn(column, snapshot.row)
      // The row of another version may store it otherwise.
      const shown: unknown = Reflect.get(entity, column.property)
      return shown instanceof Date ? shown : undefined
    })
  }

  /** Returns what the stored row must tell about its creation; `undefined` for a model that does not keep it. */
  creationOf(entity: object, now: number): Creation | undefined {
    const column = this.#mapping.timesOf?.(entity)?.createdAt
    if (column === undefined) return undefined
    return { column, now: new Date(now), given: Reflect.get(entity, column.property) }
  }

  /**
   * Adds the time of the write to a merge that deletes a row softly.
   *
   * @param target - the entity, or its key
   */
  inDeletion(target: unknown, row: Row): Row {
    const { updatedAt } = this.#mapping.timesOf?.(Object(target)) ?? {}
    if (updatedAt === undefined) return row
    return row.with(memberJson(updatedAt.member, 'DateTime', new Date(this.#now())))
  }

  #times(
    entity: object,
    time: number,
    createdAt: (column: TimeColumn, now: Date) => Date | undefined,
  ): WriteTimes | undefined {
    const columns = this.#mapping.timesOf?.(entity)
    if (columns === undefined) return undefined
    const now = new Date(time)
    return { updatedAt: now, createdAt: columns.createdAt && createdAt(columns.createdAt, now) }
  }
}
