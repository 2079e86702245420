import {
  type CallOptions,
  changeBytes,
  changeSetLimits,
  deleteEntityIfExists,
  type EntityWrite,
  type Operation,
  perform,
  type TableService,
  type WriteResult,
} from '@rowkey/rest'
import type { RowCodec } from '../../codec/row-codec.ts'
import { WriteInFlight } from '../../snapshot/writes-in-flight.ts'
import type { EntityChange } from './entity-changes.ts'

/** Sends the writes of one table: a {@link ChangeSender}, or one that stores more with each write. */
export interface WriteSender<Entity extends object> {
  /** Sends one change in a request of its own. */
  send(change: EntityChange<Entity>, options: CallOptions): Promise<WriteResult>
  /** Sends one delete; returns false when the entity did not exist. */
  deleteIfExists(change: EntityChange<Entity>, options: CallOptions): Promise<boolean>
  /** Sends changes of one partition in one request: all are applied, or none. */
  sendAll(changes: readonly EntityChange<Entity>[], options: CallOptions): Promise<WriteResult[]>
  /** Counts the bytes of the request that sends changes together. */
  bytesOf(changes: readonly EntityChange<Entity>[]): number
}

/** Sends the writes of one table, and updates the written objects. */
export class ChangeSender<Entity extends object> implements WriteSender<Entity> {
  readonly #service: TableService
  readonly #table: string
  readonly #codec: RowCodec<Entity>

  /**
   * @param service - the account of the table
   * @param table - the name of the table
   * @param codec - assigns new ETags to its entities
   */
  constructor(service: TableService, table: string, codec: RowCodec<Entity>) {
    this.#service = service
    this.#table = table
    this.#codec = codec
  }

  async send(change: EntityChange<Entity>, options: CallOptions): Promise<WriteResult> {
    return this.#sendAs(change.operation, change, options)
  }

  async deleteIfExists(change: EntityChange<Entity>, options: CallOptions): Promise<boolean> {
    return (await this.#sendAs(deleteEntityIfExists, change, options)).deleted
  }

  async sendAll(
    changes: readonly EntityChange<Entity>[],
    options: CallOptions,
  ): Promise<WriteResult[]> {
    const writes = changes.map((change) => this.#begin(change))
    const results = await this.#perform(changes, options).catch((error: unknown) => {
      for (const write of writes) write.failed(error)
      throw error
    })
    writes.forEach((write, index) => {
      write.applied(results[index] ?? {})
    })
    return results
  }

  async #perform(
    changes: readonly EntityChange<Entity>[],
    options: CallOptions,
  ): Promise<WriteResult[]> {
    return this.#service.pendingCalls.runSeries(options, async (call) => {
      const { performChangeSet } = await import('./perform-change-set.ts')
      return performChangeSet(this.#service, { table: this.#table, changes }, call)
    })
  }

  /** Counts the bytes of the request that sends changes together. */
  bytesOf(changes: readonly EntityChange<Entity>[]): number {
    const { endpoint } = this.#service
    const { envelope } = changeSetLimits(endpoint)
    return changes.reduce((bytes, change) => bytes + changeBytes(change, endpoint), envelope)
  }

  async #sendAs<Result extends WriteResult>(
    operation: Operation<EntityWrite, Result>,
    change: EntityChange<Entity>,
    options: CallOptions,
  ): Promise<Awaited<Result>> {
    const write = this.#begin(change)
    const work = perform(this.#service, operation, change.input, options)
    const result = await work.catch((error: unknown) => {
      write.failed(error)
      throw error
    })
    write.applied(result)
    return result
  }

  #begin({ entity, write }: EntityChange<Entity>): BegunChange {
    if (entity === undefined || write === undefined) return UNOBSERVED
    const inFlight = new WriteInFlight(write)
    return {
      applied: ({ etag }) => {
        const snapshot = inFlight.applied(etag)
        if (write.body !== undefined) this.#codec.showVersion(entity, snapshot?.etag)
      },
      failed: (error) => {
        const { mayHaveApplied }: { readonly mayHaveApplied?: unknown } = Object(error)
        if (mayHaveApplied === true) inFlight.uncertain()
        else inFlight.refused()
      },
    }
  }
}

/** A change that was sent and receives its outcome. */
interface BegunChange {
  applied(result: WriteResult): void
  failed(error: unknown): void
}

/** The observer of a change without an object. */
const UNOBSERVED: BegunChange = { applied() {}, failed() {} }
