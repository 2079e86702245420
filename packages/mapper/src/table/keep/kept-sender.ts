import { InputError } from '@rowkey/odata'
import {
  BatchError,
  type CallOptions,
  type Change,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  ServiceError,
  TableNotFoundError,
  type WriteResult,
} from '@rowkey/rest'
import { isOverAfter } from '../call-options.ts'
import type { WriteSender } from '../write/change-sender.ts'
import type { EntityChange } from '../write/entity-changes.ts'
import { conflictDelay } from '../write/modify-entity.ts'
import { type BoundChange, bindChange } from './bound-change.ts'
import type { KeptWrites } from './kept-models.ts'
import { planAll } from './plan-all.ts'
import type { KeptCall, KeptPlan, RowKeeper } from './row-keeper.ts'

/** How often a write is planned, when other programs change what it depends on. */
const MAX_ATTEMPTS = 10
/** The most changes in one entity group transaction. */
const MAX_CHANGES = 100

/** The parts of a {@link KeptSender}. */
export interface KeptSenderParts extends KeptWrites {
  /** Plan what is stored with each write. */
  readonly keepers: readonly RowKeeper[]
}

/** Sends the writes of a table together with what its keepers store. */
export class KeptSender implements WriteSender<object> {
  readonly #parts: KeptSenderParts

  /** @param parts - the table, its keepers, and what sends */
  constructor(parts: KeptSenderParts) {
    this.#parts = parts
  }

  async send(change: EntityChange<object>, options: CallOptions): Promise<WriteResult> {
    try {
      const [result] = await this.sendAll([change], options)
      return result ?? {}
    } catch (error) {
      throw singleError(error)
    }
  }

  async deleteIfExists(change: EntityChange<object>, options: CallOptions): Promise<boolean> {
    try {
      await this.send(change, options)
      return true
    } catch (error) {
      if (error instanceof EntityNotFoundError) return false
      throw error
    }
  }

  async sendAll(
    changes: readonly EntityChange<object>[],
    options: CallOptions,
  ): Promise<WriteResult[]> {
    const { service, table: name } = this.#parts
    const within = service.withDeadline(options)
    for (let attempt = 1; ; attempt++) {
      const bound = await this.#bind(changes, within)
      const plan = await this.#plan(bound, { table: { service, name }, attempt, options: within })
      try {
        return await this.#sendBound(bound, plan.companions, within)
      } catch (error) {
        const final = await finalError(error, bound, plan)
        if (final !== undefined) throw final
        const delay = conflictDelay(attempt, service.random())
        if (attempt >= MAX_ATTEMPTS || isOverAfter(delay, service, within)) throw error
        await service.sleep(delay, options.signal)
      }
    }
  }

  /** The rows of the keepers are known only when a write is planned, so they are not counted. */
  bytesOf(changes: readonly EntityChange<object>[]): number {
    return this.#parts.sender.bytesOf(changes)
  }

  #bind(changes: readonly EntityChange<object>[], options: CallOptions): Promise<BoundChange[]> {
    const { service, origin, table, keepers } = this.#parts
    const touches = (names: ReadonlySet<string>) => keepers.some((each) => each.touches(names))
    const binding = { service, origin, table, touches }
    return Promise.all(changes.map((change) => bindChange(change, binding, options)))
  }

  async #plan(bound: readonly BoundChange[], call: KeptCall): Promise<KeptPlan> {
    const transitions = bound.flatMap(({ transition }) => transition ?? [])
    if (transitions.length === 0) return { companions: [], rejected: async (_, error) => error }
    return planAll(this.#parts.keepers, transitions, call)
  }

  async #sendBound(
    bound: readonly BoundChange[],
    companions: readonly Change[],
    options: CallOptions,
  ): Promise<WriteResult[]> {
    const { sender, table } = this.#parts
    const changes = bound.map(({ change }) => change)
    const [only] = changes
    if (only !== undefined && changes.length + companions.length === 1) {
      return [await sender.send(only, options)]
    }
    const total = changes.length + companions.length
    if (total > MAX_CHANGES && companions.length > 0) throw tooMany(table, changes.length, total)
    const unobserved = companions.map((each) => ({ ...each, entity: undefined, write: undefined }))
    const results = await sender.sendAll([...changes, ...unobserved], options)
    return results.slice(0, changes.length)
  }
}

/** The error that the caller gets; `undefined` when the write is to be planned again. */
async function finalError(
  error: unknown,
  bound: readonly BoundChange[],
  plan: KeptPlan,
): Promise<unknown> {
  if (!(error instanceof ServiceError)) return error
  const index = error instanceof BatchError ? error.index : 0
  if (index === undefined) return error
  if (index >= bound.length) return plan.rejected(index - bound.length, error as BatchError)
  const { isFree = false, transition } = bound[index] ?? {}
  // A row that was missing when the write was planned is missing for its caller, too.
  const isMissing = error.status === 404 && transition === undefined
  const isConflict = [404, 409, 412].includes(error.status) && error.code !== 'TableNotFound'
  return isFree && isConflict && !isMissing ? undefined : error
}

function tooMany(table: string, changes: number, total: number): InputError {
  return new InputError({
    code: 'InvalidBatch',
    message:
      `The batch of ${changes} changes in table ${table} needs ${total} operations with the rows that are kept in step, ` +
      `and a transaction has at most ${MAX_CHANGES}. Split the batch.`,
  })
}

const CLASSES: Readonly<Record<string, typeof ServiceError>> = {
  ConditionNotMet: ETagMismatchError,
  EntityAlreadyExists: EntityAlreadyExistsError,
  ResourceNotFound: EntityNotFoundError,
  TableNotFound: TableNotFoundError,
  UpdateConditionNotSatisfied: ETagMismatchError,
}

/**
 * Returns the error that a write would have had alone, for a write that was sent in a transaction with the
 * rows that are kept in step with it. Any other error stays as it is.
 */
export function singleError(error: unknown): unknown {
  if (!(error instanceof BatchError) || error.index !== 0) return error
  const { message, status, code, requestId, mayHaveApplied, change } = error
  const operation = change?.operation ?? error.operation
  const Single = CLASSES[code] ?? ServiceError
  const single = new Single({ message, status, code, requestId, operation, mayHaveApplied })
  single.attempts = error.attempts
  return single
}
