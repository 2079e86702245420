import { Rejection } from '../rejection/rejection.ts'
import type { TableStore } from '../store/table-store.ts'

/** Keeps the names over a restart. */
type NameStore = Pick<TableStore, 'keptNames' | 'setKeptNames'>

/** The names of recently deleted tables, which stay reserved for a while. */
export class TableDeletions {
  readonly #store: NameStore
  readonly #now: () => number
  readonly #keepNameFor: number
  #ends: Map<string, number> | undefined

  /**
   * @param store - keeps the names
   * @param now - milliseconds since 1970, UTC
   * @param keepNameFor - milliseconds
   */
  constructor(store: NameStore, now: () => number, keepNameFor: number) {
    this.#store = store
    this.#now = now
    this.#keepNameFor = keepNameFor
  }

  /** Reserves the name of a table that is being deleted. */
  async begin(account: string, table: string): Promise<void> {
    if (this.#keepNameFor === 0) return
    const ends = await this.#loaded()
    const now = this.#now()
    for (const [key, end] of ends) if (end <= now) ends.delete(key)
    ends.set(keyOf(account, table), now + this.#keepNameFor)
    await this.#store.setKeptNames(new Map(ends))
  }

  /** Frees all names. */
  async clear(): Promise<void> {
    if (this.#keepNameFor === 0) return
    const ends = await this.#loaded()
    ends.clear()
    await this.#store.setKeptNames(new Map())
  }

  /**
   * Rejects a name that is reserved.
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
    // When several callers load the names at once, all use the first result.
    this.#ends ??= new Map(names)
    return this.#ends
  }
}

function keyOf(account: string, table: string): string {
  return `${account}/${table.toLowerCase()}`
}
