import {
  type CallOptions,
  type Change,
  changeBytes,
  changeSetLimits,
  type DeletionResult,
  deleteEntityIfExists,
  type EntityWrite,
  entityGroupTransaction,
  mergeEntity,
  type Operation,
  perform,
  type TableService,
  type WriteResult,
} from '@rowkey/rest'
import type { EntityShape } from '../../codec/entity-shape.ts'
import { afterApplied, afterUncertain } from '../../snapshot/after-write.ts'
import { WriteInFlight } from '../../snapshot/writes-in-flight.ts'
import type { EntityChange, WriteSender } from './entity-change.ts'

/**
 * Sends the writes of one table, and updates the written objects, which record their writes from the call
 * on.
 */
export class ChangeSender implements WriteSender<object> {
  readonly #service: TableService
  readonly #table: string
  readonly #shape: Pick<EntityShape<object>, 'showVersion'>

  /**
   * @param service - the account of the table
   * @param table - the name of the table
   * @param shape - assigns new ETags to its entities
   */
  constructor(
    service: TableService,
    table: string,
    shape: Pick<EntityShape<object>, 'showVersion'>,
  ) {
    this.#service = service
    this.#table = table
    this.#shape = shape
  }

  send(change: EntityChange<object>, options: CallOptions): Promise<WriteResult> {
    return this.#sendAs(change.operation, change, options)
  }

  async deleteIfExists(change: EntityChange<object>, options: CallOptions): Promise<boolean> {
    const deletion = change.operation === mergeEntity ? softDeletion : deleteEntityIfExists
    return (await this.#sendAs(deletion, change, options)).deleted
  }

  async sendAll(
    changes: readonly EntityChange<object>[],
    options: CallOptions,
    companions: readonly Change[] = [],
  ): Promise<WriteResult[]> {
    const begun = changes.map(begin)
    const changeSet = { table: this.#table, changes: [...changes, ...companions] }
    try {
      const results = await perform(this.#service, entityGroupTransaction, changeSet, options)
      begun.forEach((each, index) => {
        this.#applied(each, results[index])
      })
      return results
    } catch (error) {
      for (const each of begun) failed(each, error)
      throw error
    }
  }

  /** Counts the bytes of the request that sends changes together. */
  bytesOf(changes: readonly EntityChange<object>[]): number {
    const { endpoint } = this.#service
    const { envelope } = changeSetLimits(endpoint)
    return changes.reduce((bytes, change) => bytes + changeBytes(change, endpoint), envelope)
  }

  async #sendAs<Result extends WriteResult>(
    operation: Operation<EntityWrite, Result>,
    change: EntityChange<object>,
    options: CallOptions,
  ): Promise<Awaited<Result>> {
    const begun = begin(change)
    try {
      const result = await perform(this.#service, operation, change.input, options)
      this.#applied(begun, result)
      return result
    } catch (error) {
      failed(begun, error)
      throw error
    }
  }

  #applied({ change: { entity, write }, inFlight }: BegunChange, { etag }: WriteResult = {}): void {
    if (inFlight === undefined || entity === undefined) return
    const snapshot = afterApplied(inFlight, etag)
    if (write?.body !== undefined) this.#shape.showVersion(entity, snapshot?.etag)
  }
}

/** A soft delete of an entity that may be missing, which merges the time of the deletion into it. */
const softDeletion: Operation<EntityWrite, DeletionResult> = {
  ...mergeEntity,
  expects: deleteEntityIfExists.expects ?? [],
  fromResponse: (response, input) =>
    response.status >= 400
      ? { deleted: false }
      : { ...mergeEntity.fromResponse(response, input), deleted: true },
  reconcile: mergeEntity.reconcile?.resolve ? { resolve: mergeEntity.reconcile.resolve } : {},
}

/** A change whose object has recorded the write in flight. */
interface BegunChange {
  readonly change: EntityChange<object>
  /** Receives the outcome; `undefined` without an object. */
  readonly inFlight: WriteInFlight | undefined
}

/** Records the write in flight on the object of a change. */
function begin(change: EntityChange<object>): BegunChange {
  const { entity, write } = change
  const inFlight = entity && write && new WriteInFlight(write)
  return { change, inFlight }
}

function failed({ inFlight }: BegunChange, error: unknown): void {
  if (inFlight === undefined) return
  const { mayHaveApplied }: { readonly mayHaveApplied?: unknown } = Object(error)
  if (mayHaveApplied === true) afterUncertain(inFlight)
  else inFlight.end()
}
