import { InputError } from '@rowkey/odata'
import {
  BatchError,
  type Call,
  type Change,
  checkChangeSet,
  conflictOf,
  EntityNotFoundError,
  ETagMismatchError,
  errorClassOf,
  ServiceError,
  updateEntity,
  type WriteResult,
} from '@rowkey/rest'
import { KeptRowConflictError } from '../errors/kept-row-conflict-error.ts'
import type { KeptPlan } from '../keep/row-keeper.ts'
import { isBeingWritten, takeTurn, takeTurns } from '../snapshot/written-object.ts'
import {
  type BoundTable,
  bindWrite,
  doomed,
  isPlanned,
  startOf,
  transitionOf,
} from './bind-write.ts'
import { insertOverHidden } from './insert-over-hidden.ts'
import { sendDeletion, sendTogether, sendWrite } from './send-write.ts'
import { StoredRows } from './stored-rows.ts'
import type { Write } from './write.ts'

/** How often a write is bound, when other programs change what it depends on. */
const MAX_ATTEMPTS = 10
/** The most changes in one entity group transaction. */
const MAX_CHANGES = 100

/**
 * Sends the writes of one table. A write that depends on the row that is stored is bound to the version of that row which was
 * checked or planned with. Other writes are sent as they are.
 */
export class WriteSender {
  readonly #table: BoundTable
  readonly #stored: StoredRows

  /** @param table - the table, and what plans the rows that are stored with its writes */
  constructor(table: BoundTable) {
    this.#table = table
    this.#stored = new StoredRows(table)
  }

  /** Sends one change in a request of its own. */
  send(change: Write, call: Call): Promise<WriteResult> {
    const { write } = change
    // Most writes are sent as they are, and no other write of their objects is pending.
    if (write && this.#isPlain(change) && !isBeingWritten(write.entity)) {
      return sendWrite(change, call, change.operation, takeTurn(write))
    }
    return inTurn([change], call, ([made = change]) => this.#send(made, call))
  }

  /** Sends an insert in a request of its own, over a hidden row if a rule of the table hides rows. */
  insert(change: Write, call: Call): Promise<WriteResult> {
    const { rows } = this.#table
    if (!rows.isHiding) return this.send(change, call)
    const { table, key } = change.input
    return inTurn([change], call, () =>
      insertOverHidden(
        rows,
        {
          input: { table, key },
          send: (each) => this.#send(change, each),
          replace: (etag, each) => this.#send(toReplace(change, etag), each),
        },
        call,
      ),
    )
  }

  /** Sends one delete; returns false when the entity did not exist. */
  deleteIfExists(change: Write, call: Call): Promise<boolean> {
    return inTurn([change], call, ([made = change]) =>
      this.#isPlain(made) ? sendDeletion(made, call) : this.#deleteIfExists(made, call),
    )
  }

  /** Sends changes of one partition in one request: all are applied, or none. */
  sendAll(changes: readonly Write[], call: Call): Promise<WriteResult[]> {
    return inTurn(changes, call, (made) => this.#sendAll(made, call))
  }

  async #sendAll(changes: readonly Write[], call: Call): Promise<WriteResult[]> {
    const { name, service } = this.#table
    if (changes.every((change) => this.#isPlain(change))) {
      return sendTogether(changes, name, call)
    }
    // Index rows and counts belong to one partition.
    checkChangeSet(name, changes, service.endpoint)
    return this.#sendTogether(changes, call)
  }

  #send(change: Write, call: Call): Promise<WriteResult> {
    return this.#isPlain(change) ? sendWrite(change, call) : this.#sendAlone(change, call)
  }

  /** Whether a change is sent as it is. */
  #isPlain(change: Write): boolean {
    return startOf(change, this.#table) === 'any'
  }

  #needsRead(change: Write): boolean {
    return startOf(change, this.#table) === 'stored'
  }

  /**
   * Reads the rows that changes of one partition depend on, before these are sent. The first transaction and those after it share
   * the requests.
   *
   * @param made - the changes of the first transaction
   * @param next - returns those that will follow
   */
  async readAhead(made: readonly Write[], next: () => readonly Write[], call: Call): Promise<void> {
    const isUnread = (change: Write) => this.#needsRead(change) && !this.#stored.isAhead(change)
    const first = made.filter(isUnread)
    if (first.length > 0) await this.#stored.readAhead(first, next().filter(isUnread), call)
  }

  async #deleteIfExists(change: Write, call: Call): Promise<boolean> {
    const isKeyed = call.given.idempotencyKey !== undefined
    for (let attempt = 1; ; attempt++) {
      const earlier = isKeyed ? await this.#endMissing(change, call) : undefined
      if (earlier !== undefined) return earlier
      try {
        await this.#sendAlone(change, call)
        return true
      } catch (error) {
        if (!(error instanceof EntityNotFoundError)) throw error
        if (!isKeyed) return false
        // Another program stored it and has deleted it since: the key must record that, too.
        if (attempt >= MAX_ATTEMPTS) throw error
      }
    }
  }

  /**
   * Returns what an earlier call with the caller's key has done. If the row is missing, it stores under the key that
   * there was nothing to delete. It deletes nothing itself: `undefined` means that the row exists.
   */
  async #endMissing(change: Write, call: Call): Promise<boolean | undefined> {
    try {
      return await sendDeletion(doomed(change), call)
    } catch (error) {
      if (error instanceof ETagMismatchError) return undefined
      throw error
    }
  }

  async #sendAlone(change: Write, call: Call): Promise<WriteResult> {
    try {
      const [result] = await this.#sendTogether([change], call)
      return result ?? {}
    } catch (error) {
      throw singleError(error)
    }
  }

  #sendTogether(changes: readonly Write[], call: Call): Promise<WriteResult[]> {
    return call.run(() => this.#sendOfPartition(changes, call))
  }

  async #sendOfPartition(changes: readonly Write[], call: Call): Promise<WriteResult[]> {
    const { keepers } = this.#table
    const planned = changes.find((change) => isPlanned(change, this.#table))
    const send = () => this.#sendBound(changes, call)
    if (keepers === undefined || planned === undefined) return send()
    return keepers.inTurn(this.#table, planned.input.key.partitionKey, send, call)
  }

  async #sendBound(changes: readonly Write[], call: Call): Promise<WriteResult[]> {
    for (let attempt = 1; ; attempt++) {
      const unread = changes.filter((change) => this.#needsRead(change))
      const read = await this.#stored.of(unread, call)
      const bind = (change: Write) => bindWrite(change, this.#table, read)
      const bound = await Promise.all(changes.map(bind))
      const refused = bound.find(({ refusal }) => refusal !== undefined)
      // A repetition by its key may have been applied when the row could be changed.
      if (refused !== undefined && call.given.idempotencyKey === undefined) throw refused.refusal
      const plan = await this.#plan(bound, attempt, call)
      try {
        return await this.#sendPlanned(bound, plan, call)
      } catch (error) {
        const final = await finalError(error, bound, plan)
        if (final !== undefined) throw final
        const { attempts = MAX_ATTEMPTS } = plan
        if (attempt >= attempts || !(await call.again(attempt))) {
          throw contention(error, {
            table: this.#table.name,
            plan,
            changes: bound.length,
            attempts: attempt,
          })
        }
      }
    }
  }

  async #plan(bound: readonly Write[], attempt: number, call: Call): Promise<KeptPlan> {
    const { service, name, opener: account, keepers } = this.#table
    const written = bound.flatMap((change) => transitionOf(change) ?? [])
    if (keepers === undefined || written.length === 0) return NO_PLAN
    const { options } = call
    return keepers.plan(written, { table: { service, name }, account, written, attempt, options })
  }

  async #sendPlanned(
    changes: readonly Write[],
    plan: KeptPlan,
    call: Call,
  ): Promise<WriteResult[]> {
    const table = this.#table
    const { companions } = plan
    const [only] = changes
    const total = changes.length + companions.length
    if (only !== undefined && total === 1) return [await sendWrite(only, call)]
    if (total > MAX_CHANGES && companions.length > 0)
      throw tooMany(table.name, changes.length, total)
    const results = await sendTogether(changes, table.name, call, companions.map(unknownToKeys))
    plan.applied?.(results.slice(changes.length))
    return results.slice(0, changes.length)
  }
}

/**
 * Sends changes after the earlier writes of their objects. The objects record their writes from the call on, and not only when these
 * are bound and sent.
 *
 * @param send - sends the changes, in the form that they have in their turn
 */
async function inTurn<Result>(
  changes: readonly Write[],
  call: Call,
  send: (changes: readonly Write[]) => Promise<Result>,
): Promise<Result> {
  const turns = takeTurns(changes.flatMap(({ write }) => write ?? []))
  try {
    if (!turns.some(({ hasToWait }) => hasToWait)) return await send(changes.map(ready))
    return await call.run(async () => {
      for (const turn of turns) await turn.come(call)
      return send(changes.map(ready))
    })
  } finally {
    for (const turn of turns) turn.end()
  }
}

const ready = (change: Write): Write => change.inTurn?.() ?? change

/** Makes an insert a replace of the row with an ETag: it stores the entity as it was when the insert was called. */
function toReplace(insert: Write, etag: string): Write {
  const { input, write } = insert
  return {
    ...insert,
    operation: updateEntity,
    input: { ...input, etag, knownAs: insert.operation.name },
    write: write && { ...write, onto: etag },
  }
}

const NO_PLAN: KeptPlan = { companions: [], rejected: async (_, error) => error }

/**
 * Leaves a change out of the idempotency key. A key covers only the caller's writes, because what follows
 * from them may differ later.
 */
function unknownToKeys({ operation, input }: Change): Change {
  return { operation, input: { ...input, knownAs: '' } }
}

/** The error that the caller gets; `undefined` when the write is to be bound again. */
async function finalError(
  error: unknown,
  bound: readonly Write[],
  plan: KeptPlan,
): Promise<unknown> {
  if (!(error instanceof ServiceError)) return error
  const refused = bound.find(({ refusal }) => refusal !== undefined)
  if (refused !== undefined && !error.mayHaveApplied) return refused.refusal
  const index = error instanceof BatchError ? error.index : 0
  if (index === undefined) return error
  if (index >= bound.length) return plan.rejected(index - bound.length, error as BatchError)
  const { isFree = false, start } = bound[index] ?? {}
  // A row that was missing when the write was bound is missing for its caller, too.
  const isMissing = error.status === 404 && start === undefined
  return isFree && conflictOf(error) !== undefined && !isMissing ? undefined : error
}

/** The error of a write that gives up: an error about a companion names its row, because the caller does not know it. */
function contention(
  error: unknown,
  write: {
    readonly table: string
    readonly plan: KeptPlan
    readonly changes: number
    readonly attempts: number
  },
): unknown {
  const { table, plan, changes, attempts } = write
  const index = error instanceof BatchError ? (error.index ?? -1) - changes : -1
  const companion = plan.companions[index]
  if (companion === undefined) return error
  const keptFor = plan.keptFor?.(index) || undefined
  return new KeptRowConflictError({
    table,
    key: companion.input.key,
    keptFor,
    attempts,
    cause: error,
  })
}

function tooMany(table: string, changes: number, total: number): InputError {
  return new InputError({
    code: 'InvalidBatch',
    message:
      `The batch of ${changes} changes in table ${table} needs ${total} operations together with its index rows, counts and messages, ` +
      `and a transaction has at most ${MAX_CHANGES}. Split it, or declare fewer patterns.`,
  })
}

/**
 * Returns the error that a write would have had alone, for a write that was sent in one transaction with
 * the rows of its keepers. Any other error stays as it is.
 */
function singleError(error: unknown): unknown {
  if (!(error instanceof BatchError) || error.index !== 0) return error
  const { message, status, code, requestId, mayHaveApplied, change } = error
  const operation = change?.operation ?? error.operation
  const Single = errorClassOf(status, code)
  const single = new Single({ message, status, code, requestId, operation, mayHaveApplied })
  single.attempts = error.attempts
  return single
}
