import type { Flavour } from '../endpoint/endpoint.ts'
import { TableNotFoundError } from '../errors/service-error.ts'
import type { OperationTraits } from '../request/operation.ts'
import { tableIdOf } from '../request/path.ts'

/** How long it may take until a new table exists on the whole service, in milliseconds. */
const SETTLING_TIME = 10_000

/** An operation and its input. */
interface TableCall {
  readonly operation: OperationTraits
  readonly input: unknown
}

/**
 * The tables that this client has just created. Until the whole service knows a table, an operation
 * on its entities may still receive TableNotFound.
 */
export class OwnTables {
  readonly #flavour: Flavour
  readonly #createdAt = new Map<string, number>()

  /** @param flavour - the kind of service: on Cosmos DB, names that differ in case are two tables */
  constructor(flavour: Flavour = 'storage') {
    this.#flavour = flavour
  }

  /**
   * Records a successful call that created or deleted a table.
   *
   * @param call - the call
   * @param output - its output; `false` when it changed nothing
   * @param now - milliseconds since 1970, UTC
   */
  record({ operation, input }: TableCall, output: unknown, now: number): void {
    if (output === false) return
    if (operation.name === 'deleteTable') this.#createdAt.delete(this.#tableIn(input))
    if (operation.name !== 'createTable') return
    const created = this.#tableIn(input)
    // Removed first, so that the oldest stay in front and the search ends at the first recent one.
    this.#createdAt.delete(created)
    for (const [name, createdAt] of this.#createdAt) {
      if (now - createdAt <= SETTLING_TIME) break
      this.#createdAt.delete(name)
    }
    this.#createdAt.set(created, now)
  }

  /**
   * Tells whether a failure only means that the whole service does not know a new table yet.
   *
   * @param call - the call
   * @param error - the error of its attempt
   * @param now - milliseconds since 1970, UTC
   */
  isSettling({ operation, input }: TableCall, error: unknown, now: number): boolean {
    if (operation.addresses === 'table' || !isMissingTable(error)) return false
    const createdAt = this.#createdAt.get(this.#tableIn(input))
    return createdAt !== undefined && now - createdAt <= SETTLING_TIME
  }

  /** Every operation on a table or its entities has this member. */
  #tableIn(input: unknown): string {
    return tableIdOf(String(Object(input).table), { flavour: this.#flavour })
  }
}

/** In a batch the code is that of the change that failed. */
function isMissingTable(error: unknown): boolean {
  return error instanceof TableNotFoundError || Object(error).code === 'TableNotFound'
}
