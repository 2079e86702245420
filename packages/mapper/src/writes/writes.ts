import {
  type Call,
  checkChangeSet,
  EntityAlreadyExistsError,
  EntityNotFoundError,
  ETagMismatchError,
  findEntity,
  updateEntity,
  type WriteResult,
} from '@rowkey/rest'
import { type Keepers, keepersIn } from '../keep/keepers.ts'
import type { KeptPlan } from '../keep/row-keeper.ts'
import type { Mapping } from '../layers/mapping.ts'
import { onceForEach } from '../model/once-for-each.ts'
import type { TableParts } from '../rows/table-parts.ts'
import { takeTurn, takeTurns } from '../snapshot/written-object.ts'
import { begin, bindWrite, doomed, transitionOf } from './bind-write.ts'
import type { CheckedOperation } from './check-operation.ts'
import { contention, finalError, singleError, tooMany } from './rejected-write.ts'
import { sendDeletion, sendTogether, sendWrite, unknownToKeys } from './send-write.ts'
import { StoredRows } from './stored-rows.ts'
import type { Write } from './write.ts'
import { WriteMaker } from './write-maker.ts'

/** How often a write is bound, when other programs change what it depends on. */
const MAX_ATTEMPTS = 10
/** The most changes in one entity group transaction. */
const MAX_CHANGES = 100

const NO_PLAN: KeptPlan = { companions: [], rejected: async (_, error) => error }

/**
 * All writes of one table. Each write is one value, a {@link Write}. Five steps fill it:
 *
 * 1. **Make**: the {@link WriteMaker} of the entity's type makes the operation, the row and the condition. Then the write waits until the
 *    earlier writes of its object have ended.
 * 2. **Bind**: if something depends on the stored row, the write becomes conditional on the version that was checked. Most writes need
 *    no row, and skip this step and the next.
 * 3. **Plan**: the keepers of the model plan what is stored with the write.
 * 4. **Send**: alone, or in one transaction with other writes and the rows of the plan. If another program changed a row first, and the
 *    caller gave no condition on it, the write is bound again.
 * 5. **Learn**: the object gets its new ETag, and its snapshot what is known of the row now.
 */
export class Writes<Entity extends object = object> {
  /** The table. */
  readonly table: TableParts<Entity>
  readonly #table: TableParts<object>
  readonly #stored: StoredRows
  readonly #makerOf: (mapping: Mapping<object>) => WriteMaker

  /** @param table - the table */
  constructor(table: TableParts<Entity>) {
    this.table = table
    const parts = table as unknown as TableParts<object>
    this.#table = parts
    this.#stored = new StoredRows(parts)
    this.#makerOf = onceForEach((mapping: Mapping<object>) => new WriteMaker(parts, mapping))
  }

  /** Returns what makes the writes of an entity. */
  of(entity: object): WriteMaker {
    return this.#makerOf(this.#table.types.ofEntity(entity))
  }

  /** Returns what makes the writes of an entity, or of a key. */
  ofKey(target: unknown): WriteMaker {
    return this.#makerOf(this.#table.types.ofKey(target))
  }

  /** Returns what makes the write of an operation. */
  by({ kind, subject }: Pick<CheckedOperation, 'kind' | 'subject'>): WriteMaker {
    return kind === 'delete' || kind === 'retrieve' ? this.ofKey(subject) : this.of(subject)
  }

  /** Sends a write in a request of its own. */
  send(write: Write, call: Call): Promise<WriteResult> {
    return this.#inTurn(write, call, (made) => this.#sendAlone(made, call))
  }

  /** Sends an insert in a request of its own, over a hidden row if a rule of the table hides rows. */
  insert(write: Write, call: Call): Promise<WriteResult> {
    return this.#inTurn(write, call, () =>
      this.#table.rows.isHiding
        ? call.run(() => this.#insertOverHidden(write, call))
        : this.#sendAlone(write, call),
    )
  }

  /** Sends a delete; returns false when the entity did not exist. */
  deleteIfExists(write: Write, call: Call): Promise<boolean> {
    return this.#inTurn(write, call, (made) => {
      const begun = begin(made, this.#table)
      return begun.start === undefined ? sendDeletion(begun, call) : this.#deleteBound(begun, call)
    })
  }

  /** Sends writes of one partition in one request: all are applied, or none. */
  async sendAll(writes: readonly Write[], call: Call): Promise<WriteResult[]> {
    const turns = takeTurns(writes.flatMap(({ object }) => object ?? []))
    try {
      for (const turn of turns) if (turn.hasToWait) await turn.come(call)
      const { name, service } = this.#table
      const begun = writes.map((write) => begin(write.inTurn?.() ?? write, this.#table))
      if (begun.every(({ start }) => start === undefined)) {
        return await sendTogether(begun, name, call)
      }
      // Index rows and counts belong to one partition.
      checkChangeSet(name, begun, service.endpoint)
      return await this.#sendBound(begun, call)
    } finally {
      for (const turn of turns) turn.end()
    }
  }

  /**
   * Reads the rows that writes of one partition depend on, before these are sent. The first transaction and those after it share
   * the requests.
   *
   * @param made - the writes of the first transaction
   * @param next - returns those that will follow
   */
  async readAhead(made: readonly Write[], next: () => readonly Write[], call: Call): Promise<void> {
    const isUnread = (write: Write) =>
      begin(write, this.#table).start === 'stored' && !this.#stored.isAhead(write)
    const first = made.filter(isUnread)
    if (first.length > 0) await this.#stored.readAhead(first, next().filter(isUnread), call)
  }

  /**
   * Lets a write wait for the earlier writes of its object. The object records it from the call on, and not only when it is sent.
   *
   * @param send - sends the write, in the form that it has in its turn
   */
  async #inTurn<Result>(
    write: Write,
    call: Call,
    send: (made: Write) => Promise<Result>,
  ): Promise<Result> {
    const turn = write.object && takeTurn(write.object)
    try {
      if (turn?.hasToWait) await turn.come(call)
      return await send(write.inTurn?.() ?? write)
    } finally {
      turn?.end()
    }
  }

  #sendAlone(write: Write, call: Call): Promise<WriteResult> {
    const begun = begin(write, this.#table)
    return begun.start === undefined ? sendWrite(begun, call) : this.#sendBoundAlone(begun, call)
  }

  async #sendBoundAlone(write: Write, call: Call): Promise<WriteResult> {
    try {
      const [result] = await this.#sendBound([write], call)
      return result ?? {}
    } catch (error) {
      throw singleError(error)
    }
  }

  /** Sends writes of one partition. Some of them depend on stored rows. */
  #sendBound(writes: readonly Write[], call: Call): Promise<WriteResult[]> {
    return call.run(() => {
      const keepers = keepersIn(this.#table.kept)
      const send = () => this.#sendUntilFinal(writes, keepers, call)
      const { partitionKey = '' } = writes[0]?.input.key ?? {}
      return keepers === undefined ? send() : keepers.inTurn(this.#table, partitionKey, send, call)
    })
  }

  async #sendUntilFinal(
    writes: readonly Write[],
    keepers: Keepers | undefined,
    call: Call,
  ): Promise<WriteResult[]> {
    for (let attempt = 1; ; attempt++) {
      const bound = await this.#bind(writes, call)
      const plan = await this.#plan(bound, { keepers, attempt, call })
      try {
        return await this.#sendPlanned(bound, plan, call)
      } catch (error) {
        const final = await finalError(error, bound, plan)
        if (final !== undefined) throw final
        const { attempts = MAX_ATTEMPTS } = plan
        if (attempt >= attempts || !(await call.again(attempt))) {
          const { name: table } = this.#table
          throw contention(error, { table, plan, writes: bound.length, attempts: attempt })
        }
      }
    }
  }

  async #bind(writes: readonly Write[], call: Call): Promise<readonly Write[]> {
    const unread = writes.filter(({ start }) => start === 'stored')
    const read = await this.#stored.of(unread, call)
    const bound = await Promise.all(writes.map((write) => bindWrite(write, read)))
    const refused = bound.find(({ refusal }) => refusal !== undefined)
    // A repetition by its key may have been applied when the row could be changed.
    if (refused !== undefined && call.given.idempotencyKey === undefined) throw refused.refusal
    return bound
  }

  async #plan(
    bound: readonly Write[],
    { keepers, attempt, call }: { keepers: Keepers | undefined; attempt: number; call: Call },
  ): Promise<KeptPlan> {
    const { service, name, opener: account } = this.#table
    const written = bound.flatMap((write) => transitionOf(write) ?? [])
    if (keepers === undefined || written.length === 0) return NO_PLAN
    const { options } = call
    return keepers.plan(written, { table: { service, name }, account, written, attempt, options })
  }

  async #sendPlanned(writes: readonly Write[], plan: KeptPlan, call: Call): Promise<WriteResult[]> {
    const { name } = this.#table
    const { companions } = plan
    const [only] = writes
    const total = writes.length + companions.length
    if (only !== undefined && total === 1) return [await sendWrite(only, call)]
    if (total > MAX_CHANGES && companions.length > 0) throw tooMany(name, writes.length, total)
    const results = await sendTogether(writes, name, call, companions.map(unknownToKeys))
    plan.applied?.(results.slice(writes.length))
    return results.slice(0, writes.length)
  }

  /**
   * Inserts an entity. A hidden row that rejects the insert is replaced by its ETag, or the insert is sent again when the
   * row was swept in between.
   *
   * @throws the error of the insert when the row is not hidden, or changed since it was read
   */
  async #insertOverHidden(insert: Write, call: Call): Promise<WriteResult> {
    try {
      return await this.#sendAlone(insert, call)
    } catch (error) {
      if (!(error instanceof EntityAlreadyExistsError)) throw error
      const { rows } = this.#table
      const { now } = call.service
      const { table, key } = insert.input
      const found = await call.atPrimary().perform(findEntity, { table, key })
      if (found === undefined) return this.#sendAlone(insert, call)
      if (found.etag === undefined || !rows.hides(found.raw, now())) throw error
      rows.checkReplaced(found.raw, { table, key }, now())
      try {
        return await this.#sendAlone(toReplace(insert, found.etag), call)
      } catch (cause) {
        if (cause instanceof EntityNotFoundError) return this.#sendAlone(insert, call)
        throw cause instanceof ETagMismatchError ? error : cause
      }
    }
  }

  async #deleteBound(write: Write, call: Call): Promise<boolean> {
    const isKeyed = call.given.idempotencyKey !== undefined
    for (let attempt = 1; ; attempt++) {
      const earlier = isKeyed ? await this.#endMissing(write, call) : undefined
      if (earlier !== undefined) return earlier
      try {
        await this.#sendAlone(write, call)
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
  async #endMissing(write: Write, call: Call): Promise<boolean | undefined> {
    try {
      return await sendDeletion(doomed(write), call)
    } catch (error) {
      if (error instanceof ETagMismatchError) return undefined
      throw error
    }
  }
}

/** Makes an insert a replace of the row with an ETag: it stores the entity as it was when the insert was called. */
function toReplace(insert: Write, etag: string): Write {
  const { input, object } = insert
  return {
    ...insert,
    operation: updateEntity,
    input: { ...input, etag, knownAs: insert.operation.name },
    object: object && { ...object, onto: etag },
  }
}
