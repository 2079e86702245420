import { Rejection } from '../rejection/rejection.ts'
import type { TableStore } from '../store/table-store.ts'

/** What keeps names over a restart. */
type NameStore = Pick<TableStore, 'keptNames' | 'setKeptNames'>

/** The names of tables that were deleted not long ago: the service takes its time to let go of them. */
export class TableDeletions {
  readonly #store: NameStore
  readonly #now: () => number
  readonly #keepNameFor: number
  #ends: Map<string, number> | undefined

  /**
   * @param store - where the names are kept
   * @param now - milliseconds since 1970, UTC
   * @param keepNameFor - milliseconds
   */
  constructor(store: NameStore, now: () => number, keepNameFor: number) {
    this.#store = store
    this.#now = now
    this.#keepNameFor = keepNameFor
  }

  /** Keeps the name of a table that is deleted now. */
  async begin(account: string, table: string): Promise<void> {
    if (this.#keepNameFor === 0) return
    const ends = await this.#loaded()
    const now = this.#now()
    for (const [key, end] of ends) if (end <= now) ends.delete(key)
    ends.set(keyOf(account, table), now + this.#keepNameFor)
    await this.#store.setKeptNames(new Map(ends))
  }

  /** Lets go of all names. */
  async clear(): Promise<void> {
    if (this.#keepNameFor === 0) return
    const ends = await this.#loaded()
    ends.clear()
    await this.#store.setKeptNames(new Map())
  }

  /**
   * Refuses a name for as long as it is kept.
   *
   * @throws Rejection TableBeingDeleted
   */
  async check(account: string, table: string): Promise<void> {
    if (this.#keepNameFor === 0) return
    const ends = await this.#loaded()
    const key = keyOf(account, table)
    const end = ends.get(key)
    if (end === undefined) return
    if (this.#now() < end) throw new Rejection('TableBeingDeleted')
    ends.delete(key)
  }

  async #loaded(): Promise<Map<string, number>> {
    const names = this.#ends ?? (await this.#store.keptNames())
    // Of several that loaded them at once, all go on with those of the first.
    this.#ends ??= new Map(names)
    return this.#ends
  }
}

function keyOf(account: string, table: string): string {
  return `${account}/${table.toLowerCase()}`
}
