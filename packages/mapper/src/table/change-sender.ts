import {
  type CallOptions,
  type EntityWrite,
  entityGroupTransaction,
  type Operation,
  perform,
  type TableService,
  type WriteResult,
} from '@rowkey/rest'
import type { EntityChange } from './entity-change.ts'
import type { EntityChanges } from './entity-changes.ts'

/** Sends the writes of one table, and tells the objects that are written of the outcome. */
export class ChangeSender<Entity extends object> {
  readonly #service: TableService
  readonly #changes: EntityChanges<Entity>

  /**
   * @param service - the account the table is in
   * @param changes - knows the table and its entities
   */
  constructor(service: TableService, changes: EntityChanges<Entity>) {
    this.#service = service
    this.#changes = changes
  }

  /** Sends one change in a request of its own. */
  async send(change: EntityChange<Entity>, options: CallOptions): Promise<WriteResult> {
    return this.sendAs(change.operation, change, options)
  }

  /**
   * As {@link ChangeSender.send}, by another operation.
   *
   * @param operation - one that answers otherwise
   * @param change - what it is to do
   * @param options - those of the call
   */
  async sendAs<Result extends WriteResult>(
    operation: Operation<EntityWrite, Result>,
    change: EntityChange<Entity>,
    options: CallOptions,
  ): Promise<Awaited<Result>> {
    const write = this.#changes.begin(change)
    const work = perform(this.#service, operation, change.input, options)
    const result = await work.catch((error: unknown) => {
      write.failed(error)
      throw error
    })
    write.written(result)
    return result
  }

  /** Sends changes of one partition in one request: all happen, or none. */
  async sendAll(
    changes: readonly EntityChange<Entity>[],
    options: CallOptions,
  ): Promise<WriteResult[]> {
    const input = { table: this.#changes.table, changes }
    const writes = changes.map((change) => this.#changes.begin(change))
    const work = perform(this.#service, entityGroupTransaction, input, options)
    const results = await work.catch((error: unknown) => {
      for (const write of writes) write.failed(error)
      throw error
    })
    writes.forEach((write, index) => {
      write.written(results[index] ?? {})
    })
    return results
  }
}
