import type { EntityModel, KeptCall, KeptPlan, RowKeeper, RowTransition } from '@rowkey/mapper'
import type { FilterNode } from '@rowkey/odata'
import { ETagMismatchError, mergeEntity, type OperationContext } from '@rowkey/rest'
import { checkOwnKey } from '../rows/check-beginnings.ts'
import { rowFilter } from '../rows/row-filter.ts'
import { findStored } from '../rows/stored-row.ts'

/** The property of a fence that names who took it last. */
export const TOKEN = 'Token'

/** A fence as the worker that took it knows it. */
export interface TakenFence {
  readonly table: string
  readonly partitionKey: string
  readonly rowKey: string
  readonly token: string
}

/** The fences of calls, by the context that each call has. */
const fences = new WeakMap<OperationContext, TakenFence>()

/** Binds the calls with a context to a fence. */
export function bindContext(context: OperationContext, fence: TakenFence): void {
  fences.set(context, fence)
}

/** Makes the transactions of a worker depend on the fence that it took. */
export class FenceKeeper implements RowKeeper {
  readonly rows: FilterNode
  readonly #model: EntityModel<object>
  readonly #beginning: string

  /**
   * @param model - the model whose writes may have a fence
   * @param beginning - what the RowKeys of fences begin with
   */
  constructor(model: EntityModel<object>, beginning: string) {
    this.#model = model
    this.#beginning = beginning
    this.rows = rowFilter(model, [beginning])
  }

  touches(): boolean {
    return true
  }

  async plan(transitions: readonly RowTransition[], call: KeptCall): Promise<KeptPlan> {
    const { table, options } = call
    const [first] = transitions
    const kept = { kind: 'fences', beginning: this.#beginning }
    for (const { key } of transitions) checkOwnKey(this.#model, key.rowKey, kept)
    const fence = options.context && fences.get(options.context)
    const rejected: KeptPlan['rejected'] = async (_, error) =>
      // Another call of the same worker may have written the fence; whose it is now is read again.
      [404, 412].includes(error.status) ? undefined : error
    if (fence === undefined || first === undefined) return { companions: [], rejected }
    const { partitionKey, rowKey, token } = fence
    const isHere = fence.table === table.name && partitionKey === first.key.partitionKey
    const stored = isHere ? await findStored(table, { partitionKey, rowKey }, options) : undefined
    if (stored === undefined || stored.raw[TOKEN] !== token) throw lost(fence, isHere)
    const key = { partitionKey, rowKey }
    const body = JSON.stringify({ PartitionKey: partitionKey, RowKey: rowKey })
    const input = { table: table.name, key, body, etag: stored.etag }
    return { companions: [{ operation: mergeEntity, input }], rejected }
  }
}

function lost({ table, partitionKey, rowKey }: TakenFence, isHere: boolean): ETagMismatchError {
  const place = `${JSON.stringify([partitionKey, rowKey])} of table ${table}`
  const message = isHere
    ? `Another worker has taken the fence ${place} since. Nothing was written: stop this work.`
    : `The fence ${place} is in another partition than the write, so it cannot protect it. Nothing was written: take a fence in the partition of the write.`
  const error = new ETagMismatchError({
    message,
    status: 412,
    code: 'FenceLost',
    requestId: undefined,
    operation: 'entityGroupTransaction',
    mayHaveApplied: false,
  })
  // The write was not sent: a repetition would fail in the same way.
  error.attempts = 0
  return error
}
