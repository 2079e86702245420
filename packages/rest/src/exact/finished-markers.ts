import type { EntityKey } from '@rowkey/odata'
import { MOST_CHANGES } from '../transaction/encode-change-set.ts'

/** The most markers that are remembered; the oldest are left to the sweep by age. */
const MOST_REMEMBERED = 10_000

/** The markers whose writes have ended without doubt: nothing can arrive late, so they can be deleted. */
export class FinishedMarkers {
  readonly #keys = new Map<string, EntityKey[]>()
  #count = 0

  /**
   * Adds a marker.
   *
   * @returns 100 markers of its partition to delete in one transaction, when there are so many
   */
  add(table: string, key: EntityKey): readonly EntityKey[] | undefined {
    const partition = JSON.stringify([table.toLowerCase(), key.partitionKey])
    const keys = this.#keys.get(partition) ?? []
    keys.push(key)
    this.#count++
    // Set again, so that the partition that was written last comes last.
    this.#keys.delete(partition)
    if (keys.length >= MOST_CHANGES) {
      this.#count -= keys.length
      return keys
    }
    this.#keys.set(partition, keys)
    this.#forgetOldest()
    return undefined
  }

  #forgetOldest(): void {
    if (this.#count <= MOST_REMEMBERED) return
    for (const [partition, keys] of this.#keys) {
      this.#keys.delete(partition)
      this.#count -= keys.length
      return
    }
  }
}
