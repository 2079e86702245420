import { TableNotFoundError } from '../errors/table-not-found-error.ts'
import type { OperationTraits } from '../operation.ts'

/** How long it may take until every part of the service knows a new table, in milliseconds. */
const SETTLING_TIME = 10_000

/** What is done, and to what. */
interface TableCall {
  readonly operation: OperationTraits
  readonly input: unknown
}

/**
 * The tables that this client has just created. Until the whole service knows one, an entity
 * operation may still be told that it does not exist.
 */
export class OwnTables {
  readonly #createdAt = new Map<string, number>()

  /**
   * Notes what a call that succeeded did to a table.
   *
   * @param call - the call
   * @param output - what it gave; `false` when nothing was done
   * @param now - milliseconds since 1970, UTC
   */
  note({ operation, input }: TableCall, output: unknown, now: number): void {
    if (operation.addresses !== 'table' || output === false) return
    if (operation.name === 'deleteTable') this.#createdAt.delete(nameIn(input))
    if (operation.name !== 'createTable') return
    for (const [name, createdAt] of this.#createdAt) {
      if (now - createdAt > SETTLING_TIME) this.#createdAt.delete(name)
    }
    this.#createdAt.set(nameIn(input), now)
  }

  /**
   * Whether a failure is only that a new table is not known everywhere yet.
   *
   * @param call - the call
   * @param error - what its attempt failed with
   * @param now - milliseconds since 1970, UTC
   */
  isSettling({ operation, input }: TableCall, error: unknown, now: number): boolean {
    if (operation.addresses === 'table' || !isMissingTable(error)) return false
    const createdAt = this.#createdAt.get(nameIn(input))
    return createdAt !== undefined && now - createdAt <= SETTLING_TIME
  }
}

/** In a batch the code is that of the change which failed. */
function isMissingTable(error: unknown): boolean {
  return error instanceof TableNotFoundError || Object(error).code === 'TableNotFound'
}

/** Every operation on a table or on its entities names it so; case does not count. */
function nameIn(input: unknown): string {
  return String(Object(input).table).toLowerCase()
}
