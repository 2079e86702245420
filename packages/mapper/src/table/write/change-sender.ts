import {
  type CallOptions,
  type Change,
  type DeletionResult,
  deleteEntityIfExists,
  type EntityWrite,
  entityGroupTransaction,
  mergeEntity,
  type Operation,
  perform,
  type WriteResult,
} from '@rowkey/rest'
import { isDoubtful } from '../../bulk/judge-failure.ts'
import { afterApplied, afterUncertain } from '../../snapshot/after-write.ts'
import { WriteInFlight } from '../../snapshot/writes-in-flight.ts'
import type { TableParts } from '../table-parts.ts'
import type { EntityChange, WriteSender } from './entity-change.ts'

/**
 * Sends the writes of one table, and updates the written objects, which record their writes from the call
 * on.
 */
export class ChangeSender implements WriteSender {
  readonly #table: Pick<TableParts<object>, 'service' | 'name' | 'mapping'>

  /** @param table - the table */
  constructor(table: Pick<TableParts<object>, 'service' | 'name' | 'mapping'>) {
    this.#table = table
  }

  send(change: EntityChange, options: CallOptions): Promise<WriteResult> {
    return this.#sendAs(change.operation, change, options)
  }

  async deleteIfExists(change: EntityChange, options: CallOptions): Promise<boolean> {
    const deletion = change.operation === mergeEntity ? softDeletion : deleteEntityIfExists
    return (await this.#sendAs(deletion, change, options)).deleted
  }

  async sendAll(
    changes: readonly EntityChange[],
    options: CallOptions,
    companions: readonly Change[] = [],
  ): Promise<WriteResult[]> {
    const begun = changes.map(begin)
    const { service, name: table } = this.#table
    const changeSet = { table, changes: [...changes, ...companions] }
    try {
      const results = await perform(service, entityGroupTransaction, changeSet, options)
      begun.forEach((each, index) => {
        this.#applied(each, results[index])
      })
      return results
    } catch (error) {
      for (const each of begun) failed(each, error)
      throw error
    }
  }

  async #sendAs<Result extends WriteResult>(
    operation: Operation<EntityWrite, Result>,
    change: EntityChange,
    options: CallOptions,
  ): Promise<Awaited<Result>> {
    const begun = begin(change)
    try {
      const result = await perform(this.#table.service, operation, change.input, options)
      this.#applied(begun, result)
      return result
    } catch (error) {
      failed(begun, error)
      throw error
    }
  }

  #applied(begun: WriteInFlight | undefined, { etag }: WriteResult = {}): void {
    if (begun === undefined) return
    const snapshot = afterApplied(begun, etag)
    const { entity, body } = begun.write
    if (body !== undefined) this.#table.mapping.shape.showVersion(entity, snapshot?.etag)
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

/** Records the write in flight on the object of a change, if it has one. */
function begin({ write }: EntityChange): WriteInFlight | undefined {
  return write && new WriteInFlight(write)
}

function failed(begun: WriteInFlight | undefined, error: unknown): void {
  if (begun === undefined) return
  if (isDoubtful(error)) afterUncertain(begun)
  else begun.end()
}
