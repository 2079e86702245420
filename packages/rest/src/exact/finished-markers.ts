import type { EntityKey } from '@rowkey/odata'
import { MOST_CHANGES } from '../transaction/change-set-size.ts'
import { LEAST_AGE } from './marker.ts'

/** The most markers that are remembered, about 8 MB; others are left to the sweep. */
const MOST_REMEMBERED = 50_000
/** The service's dates are whole seconds, so an age can seem a second longer than it is. */
const DATE_PRECISION = 1_000

/** Markers of one partition that one transaction can delete. */
interface Group {
  readonly rowKeys: string[]
  /** When the last of them was stored; milliseconds since 1970, UTC, by the service's clock. */
  storedAt: number
}

/**
 * The markers of writes that have ended without doubt. A machine in between may still repeat their requests, so each
 * marker stays as long as the sweep spares it, by the service's clock.
 */
export class FinishedMarkers {
  readonly #partitions = new Map<string, Group[]>()
  #count = 0

  /**
   * Adds a marker.
   *
   * @param table - the table's name
   * @param key - the marker's key
   * @param storedAt - when it was stored: milliseconds since 1970, UTC, by the service's clock
   * @returns 100 markers of its partition to delete in one transaction, when so many are old enough
   */
  add(
    table: string,
    { partitionKey, rowKey }: EntityKey,
    storedAt: number,
  ): readonly EntityKey[] | undefined {
    const partition = JSON.stringify([table.toLowerCase(), partitionKey])
    const groups = this.#partitions.get(partition) ?? []
    // Set again, so that the partition that was written last comes last.
    this.#partitions.delete(partition)
    this.#partitions.set(partition, groups)
    if (this.#hasRoom(partition)) this.#remember(rowKey, storedAt, groups)
    const [oldest] = groups
    if (oldest === undefined || !isOld(oldest, storedAt)) return undefined
    groups.shift()
    this.#count -= oldest.rowKeys.length
    return oldest.rowKeys.map((each) => ({ partitionKey, rowKey: each }))
  }

  #remember(rowKey: string, storedAt: number, groups: Group[]): void {
    let last = groups.at(-1)
    if (last === undefined || last.rowKeys.length >= MOST_CHANGES) {
      last = { rowKeys: [], storedAt }
      groups.push(last)
    }
    last.rowKeys.push(rowKey)
    last.storedAt = Math.max(last.storedAt, storedAt)
    this.#count++
  }

  /** Makes room by forgetting the partitions that were written longest ago, but not this one. */
  #hasRoom(partition: string): boolean {
    for (const [other, groups] of this.#partitions) {
      if (this.#count < MOST_REMEMBERED) return true
      if (other === partition) return false
      this.#partitions.delete(other)
      for (const { rowKeys } of groups) this.#count -= rowKeys.length
    }
    return true
  }
}

/** Tells whether all markers of a group have reached the age. It is full then: the last group has just received one. */
function isOld({ storedAt }: Group, now: number): boolean {
  return now - storedAt >= LEAST_AGE + DATE_PRECISION
}
