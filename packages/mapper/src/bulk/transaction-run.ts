import {
  AmbiguousWriteError,
  type Call,
  type Change,
  conflictOf,
  entityName,
  isOverloaded,
  isUnsent,
  mayHaveApplied,
} from '@rowkey/rest'
import type { BulkEnd } from './bulk-end.ts'
import type { BulkOutcome, BulkSubject } from './bulk-outcome.ts'
import type { BulkKind, BulkOperation, BulkTarget } from './bulk-target.ts'
import type { BulkWork } from './bulk-work.ts'
import type { JournalLog } from './journal/journal-log.ts'
import { judgeFailure } from './judge-failure.ts'
import type { OperationBuffer, PendingOperation } from './operation-buffer.ts'

/**
 * The longest wait after a transaction that was throttled, in milliseconds, for the first time
 * and ever.
 */
const FIRST_WAIT = 1_000
const LONGEST_WAIT = 30_000
/** How often a transaction is sent, unless the caller says otherwise. */
const MOST_ATTEMPTS = 5

/** What the transactions of one bulk write share. */
export interface RunParts {
  readonly work: BulkWork
  /** Whether each transaction has a marker. */
  readonly isExact: boolean
  /** Records what is sent and how it ends; absent without a journal. */
  log: JournalLog | undefined
  /** The operations that wait. */
  readonly buffer: OperationBuffer
  /** The end of the write. */
  readonly end: BulkEnd
  /** Receives the outcome of each operation. */
  readonly settle: (outcome: BulkOutcome) => void
}

/**
 * Sends the operations of one transaction until each has an outcome. It never rejects.
 *
 * An operation that the service rejects is taken out, and the others are sent again without it.
 */
export class TransactionRun {
  readonly #parts: RunParts
  readonly #onThrottled: () => void
  /** Whether the retry policy refused to retry the first attempt of the last call. */
  #isRefused = false
  /** The error of an attempt that may have been applied; what fails afterwards is unknown. */
  #doubt: { readonly error: unknown } | undefined
  /** Whether the journal holds all operations of the transaction. */
  #isRecorded = false
  #isApplied = false

  /**
   * @param parts - those of the bulk write
   * @param onThrottled - called for each attempt that the service throttled
   */
  constructor(parts: RunParts, onThrottled: () => void) {
    this.#parts = parts
    this.#onThrottled = onThrottled
  }

  /**
   * Sends operations of one partition, in order.
   *
   * @param operations - those that one transaction holds
   * @returns whether the service applied some of them
   */
  async run(operations: readonly PendingOperation[]): Promise<boolean> {
    const earlier = operations.find(({ isInDoubt }) => isInDoubt)
    if (earlier !== undefined) {
      const { operation, change } = earlier
      this.#doubt = { error: sentBefore(operation.kind, entityName(change.input)) }
    }
    await this.#send(operations)
    return this.#isApplied
  }

  /**
   * Tells whether operations may be sent: the journal holds them, and the write has not ended
   * meanwhile. Otherwise it ends them. Each exact transaction has a line of its own.
   */
  async #mayBeSent(
    operations: readonly PendingOperation[],
    key: string | undefined,
  ): Promise<boolean> {
    const { log, end } = this.#parts
    const isNew = key !== undefined || !this.#isRecorded
    try {
      if (isNew && !end.isOver) await log?.sent(operations, key)
      this.#isRecorded = true
    } catch (error) {
      this.#end(operations, 'fatal', error)
      return false
    }
    if (end.isOver) this.#end(operations, 'failed', end.notSent())
    return !end.isOver
  }

  async #send(operations: readonly PendingOperation[]): Promise<void> {
    let rest = operations
    for (let attempt = 1; rest.length > 0; ) {
      const key = this.#newKey()
      if (!(await this.#mayBeSent(rest, key))) return
      const error = await this.#attempt(rest, key)
      if (error === undefined) return
      const verdict = judgeFailure(error.thrown, rest.length)
      if (verdict.kind === 'one') {
        const [rejected, ...others] = takeOut(rest, verdict.index)
        await this.#reject(rejected, error.thrown)
        rest = others
      } else if (verdict.kind === 'split') {
        const middle = rest.length >> 1
        await this.#send(rest.slice(0, middle))
        rest = rest.slice(middle)
      } else if (this.#isRepeated(verdict.kind) && attempt < this.#attempts) {
        if (verdict.kind === 'unknown') this.#doubt = { error: error.thrown }
        await this.#pause(attempt++)
      } else {
        return this.#end(rest, verdict.kind, error.thrown)
      }
    }
  }

  /**
   * A key of its own for each transaction of a journal: a later run asks the marker what became
   * of it.
   */
  #newKey(): string | undefined {
    const { work, isExact, log } = this.#parts
    return isExact && log !== undefined ? work.target.service.newId() : undefined
  }

  /** Sends one transaction; returns the error, if it failed. */
  async #attempt(
    operations: readonly PendingOperation[],
    idempotencyKey: string | undefined,
  ): Promise<{ readonly thrown: unknown } | undefined> {
    const { work, settle, buffer } = this.#parts
    try {
      const changes = changesOf(operations)
      const next = () => changesOf(buffer.waitingIn(changes[0]?.input.key.partitionKey ?? ''))
      const results = await work.target.send(changes, this.#call(idempotencyKey), next)
      this.#isApplied = true
      for (const [at, operation] of operations.entries()) {
        const etag = results[at]?.etag
        settle({ ...subjectOf(operation), status: 'done', etag, modified: false })
      }
      return undefined
    } catch (thrown) {
      return { thrown }
    }
  }

  /** The call of each transaction, which observes its attempts, also those that are retried. */
  #call(idempotencyKey?: string): Call {
    this.#isRefused = false
    const call = this.#parts.work.call.observed((failed, delay) => {
      if (isOverloaded(failed)) this.#onThrottled()
      if (failed.number === 1) this.#isRefused = delay === undefined
    })
    return call.part().with({ idempotencyKey })
  }

  /** How often the transaction may be sent. A policy that never retries its failure holds for the whole run. */
  get #attempts(): number {
    return this.#parts.work.settings.attempts ?? (this.#isRefused ? 1 : MOST_ATTEMPTS)
  }

  #isRepeated(kind: string): boolean {
    return (
      kind === 'throttled' || (kind === 'unknown' && this.#parts.work.settings.repeats === true)
    )
  }

  async #pause(attempt: number): Promise<void> {
    const { work, end } = this.#parts
    const { random, sleep } = work.target.service
    const longest = Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT)
    await sleep(random() * longest, end.signal)
  }

  /** Ends an operation that the service rejected, as the caller wants conflicts to end. */
  async #reject(operation: PendingOperation, error: unknown): Promise<void> {
    const { work, settle } = this.#parts
    const { settings, target } = work
    const isModified = settings.onConflict === 'modify' && operation.operation.kind !== 'delete'
    // An attempt in doubt may have deleted or changed the row.
    const isInDoubt =
      operation.isInDoubt || (this.#doubt !== undefined && conflictOf(error) !== undefined)
    if (isInDoubt) {
      if (!(await this.#isSettled(operation, error))) this.#end([operation], 'failed', error)
    } else if (this.#isSkipped(operation, error)) {
      settle({ ...subjectOf(operation), status: 'skipped', error })
    } else if (isModified && isConflict(error) && !isUnsent(error)) {
      await this.#modify(operation)
    } else {
      const { flavour } = target.service.endpoint
      // On Cosmos DB a missing table looks like a missing entity.
      const isTableMissing = flavour === 'cosmos' && isMissing(error) && !needsRow(operation)
      this.#end([operation], isTableMissing ? 'fatal' : 'failed', error)
    }
  }

  /** Tells whether the caller wants the stored row to be left as it is, or missing. */
  #isSkipped(operation: PendingOperation, error: unknown): boolean {
    const { onConflict, onMissing } = this.#parts.work.settings
    if (isMissing(error)) return onMissing === 'skip' && needsRow(operation)
    return onConflict === 'skip' && isConflict(error) && !isUnsent(error)
  }

  /**
   * Decides by the stored row whether an earlier run applied an operation that was rejected now.
   */
  async #isSettled(operation: PendingOperation, error: unknown): Promise<boolean> {
    const { work, settle } = this.#parts
    const { kind } = operation.operation
    const done = { ...subjectOf(operation), status: 'done', modified: false } as const
    if (kind === 'delete' && isMissing(error)) {
      settle({ ...done, etag: undefined })
      return true
    }
    if (kind !== 'insert' || !isConflict(error)) return false
    const etag = await work.target.storedEtag(operation.change, this.#call()).catch(() => undefined)
    if (etag !== undefined) settle({ ...done, etag })
    return etag !== undefined
  }

  async #modify(pending: PendingOperation): Promise<void> {
    const { work, settle } = this.#parts
    const { target, settings } = work
    const subject = subjectOf(pending)
    const { change, operation } = pending
    const given = operation.subject
    const idempotencyKey = this.#newKey()
    if (!(await this.#mayBeSent([pending], idempotencyKey))) return
    try {
      const modifier = (stored: object) => settings.modify?.(stored as never, given)
      const etag = await target.modify(change, modifier, this.#call(idempotencyKey))
      settle({ ...subject, status: 'done', etag, modified: true })
    } catch (error) {
      // It may have been deleted meanwhile.
      if (this.#isSkipped(pending, error)) settle({ ...subject, status: 'skipped', error })
      else settle({ ...subject, status: mayHaveApplied(error) ? 'unknown' : 'failed', error })
    }
  }

  #end(operations: readonly PendingOperation[], kind: string, error: unknown): void {
    const isUnknown = kind === 'unknown' || this.#doubt !== undefined
    const status = isUnknown ? 'unknown' : 'failed'
    const reason = kind === 'unknown' ? error : (this.#doubt?.error ?? error)
    for (const operation of operations) {
      this.#parts.settle({ ...subjectOf(operation), status, error: reason })
    }
    if (kind === 'fatal' || this.#isOver(error)) this.#parts.end.fail(error)
  }

  /** A budget holds for the whole write, and so does a deadline of the caller's. */
  #isOver(error: unknown): boolean {
    const { code }: { readonly code?: unknown } = Object(error)
    return (
      code === 'BudgetSpent' || (code === 'DeadlineExceeded' && this.#parts.work.call.hasDeadline)
    )
  }
}

/** Tells whether a failed operation met a row that is not as the operation expects. */
function isConflict(error: unknown): boolean {
  const conflict = conflictOf(error)
  return conflict === 'changed' || conflict === 'exists'
}

/** Tells whether a failed operation did not find its row. */
function isMissing(error: unknown): boolean {
  return conflictOf(error) === 'missing'
}

/** Tells whether an operation changes a row that exists. */
function needsRow({ operation: { kind } }: PendingOperation): boolean {
  return kind === 'merge' || kind === 'replace' || kind === 'delete'
}

const changesOf = (operations: readonly PendingOperation[]) =>
  operations.map(({ change }) => change)

/** Returns the part of an outcome that names the operation. */
export function subjectOf({
  index,
  item,
  operation,
  change,
}: PendingOperation): BulkSubject<unknown> {
  return { index, item, kind: operation.kind, key: change.input.key }
}

/**
 * Makes the change of an operation. One that an earlier run sent stays in doubt when it is rejected now.
 *
 * @returns `undefined` when nothing is to be sent
 */
export function changeOf(
  target: BulkTarget,
  operation: BulkOperation,
  wasSent: boolean,
): Change | undefined {
  try {
    return operation.prepared ?? target.change(operation)
  } catch (cause) {
    if (!wasSent) throw cause
    throw sentBefore(operation.kind, `an entity of table ${target.table}`, cause)
  }
}

/**
 * Returns the error of an operation that an earlier run sent without recording its end.
 *
 * @param kind - its kind
 * @param place - names what it writes
 * @param cause - why it cannot be sent again
 */
function sentBefore(kind: BulkKind, place: string, cause?: unknown): AmbiguousWriteError {
  return new AmbiguousWriteError({
    message: `An earlier run sent ${kind} of ${place} and did not record its outcome. What is stored does not show it.`,
    attempts: 1,
    cause,
    resolve: async () => ({ outcome: 'unknown' }),
  })
}

/** Returns one operation, and then the others in order. */
function takeOut(
  operations: readonly PendingOperation[],
  index: number,
): [PendingOperation, ...PendingOperation[]] {
  const others = operations.filter((_, at) => at !== index)
  return [operations[index]!, ...others] // the index was checked
}
