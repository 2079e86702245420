import type { WriteTimes } from '../codec/row-codec.ts'
import type { Mapping } from '../layers/mapping.ts'
import type { Row } from '../member/row.ts'
import { memberJson } from '../member/stored-member.ts'
import type { RowTimes, TimeColumn } from '../model/row-times.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { type Creation, timeIn } from './write.ts'

/** Gives the writes of a table the times that their models keep. */
export class WriteClock {
  readonly #columns: RowTimes | undefined
  readonly #now: () => number

  /**
   * @param mapping - of the entities, whose model may keep times
   * @param now - the clock of the account: milliseconds since 1970
   */
  constructor({ model }: Pick<Mapping<object>, 'model'>, now: () => number) {
    this.#columns = model?.times
    this.#now = now
  }

  /** Returns the time of a write: one for all that it stores. */
  now(): number {
    return this.#now()
  }

  /** Returns the times of a new row; `undefined` for a model that keeps none. */
  ofNew(): WriteTimes | undefined {
    return this.#times(this.#now(), (_, now) => now)
  }

  /** Returns the times of a write of a row that the object does not know: {@link WriteClock.creationOf} adds when it was made. */
  ofUnknown(now: number): WriteTimes | undefined {
    return this.#times(now, () => undefined)
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
    return this.#times(now, (column) => {
      if (snapshot === undefined) return undefined
      if (snapshot.other === undefined) return timeIn(column, snapshot.row)
      // The row of another version may store it otherwise.
      const shown: unknown = Reflect.get(entity, column.property)
      return shown instanceof Date ? shown : undefined
    })
  }

  /** Returns what the stored row must tell about its creation; `undefined` for a model that does not keep it. */
  creationOf(entity: object, now: number): Creation | undefined {
    const column = this.#columns?.createdAt
    if (column === undefined) return undefined
    return { column, now: new Date(now), given: Reflect.get(entity, column.property) }
  }

  /** Adds the time of the write to a merge that deletes a row softly. */
  inDeletion(row: Row): Row {
    const { updatedAt } = this.#columns ?? {}
    if (updatedAt === undefined) return row
    return row.with(memberJson(updatedAt.member, 'DateTime', new Date(this.#now())))
  }

  #times(
    time: number,
    createdAt: (column: TimeColumn, now: Date) => Date | undefined,
  ): WriteTimes | undefined {
    const columns = this.#columns
    if (columns === undefined) return undefined
    const now = new Date(time)
    return { updatedAt: now, createdAt: columns.createdAt && createdAt(columns.createdAt, now) }
  }
}
