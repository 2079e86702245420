import { ServiceFault } from '../fault/service-fault.ts'

/** The names of tables that were deleted not long ago: the service takes its time to let go of them. */
export class TableDeletions {
  readonly #now: () => number
  readonly #keepNameFor: number
  readonly #ends = new Map<string, number>()

  /**
   * @param now - milliseconds since 1970, UTC
   * @param keepNameFor - milliseconds
   */
  constructor(now: () => number, keepNameFor: number) {
    this.#now = now
    this.#keepNameFor = keepNameFor
  }

  /** Keeps the name of a table that is deleted now. */
  begin(account: string, table: string): void {
    if (this.#keepNameFor === 0) return
    this.#ends.set(keyOf(account, table), this.#now() + this.#keepNameFor)
  }

  /** Lets go of all names. */
  clear(): void {
    this.#ends.clear()
  }

  /**
   * Refuses a name for as long as it is kept.
   *
   * @throws ServiceFault TableBeingDeleted
   */
  check(account: string, table: string): void {
    const key = keyOf(account, table)
    const end = this.#ends.get(key)
    if (end === undefined) return
    if (this.#now() < end) throw new ServiceFault('TableBeingDeleted')
    this.#ends.delete(key)
  }
}

function keyOf(account: string, table: string): string {
  return `${account}/${table.toLowerCase()}`
}
