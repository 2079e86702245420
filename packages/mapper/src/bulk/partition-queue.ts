import type { ChangeSetLimits } from '@rowkey/rest'
import type { BulkChange, BulkOperation } from './bulk-target.ts'

/** An operation that waits to be sent. */
export interface PendingOperation {
  /** Its place in the input, counted from 0. */
  readonly index: number
  /** The next item of the input. */
  readonly item: unknown
  readonly operation: BulkOperation
  readonly change: BulkChange
  /** The bytes that it takes in a transaction. */
  readonly bytes: number
  /** Its digest, for the journal; empty without a journal. */
  readonly digest: string
  /** Whether an earlier run may have applied it. Then it is sent alone. */
  readonly isInDoubt: boolean
}

/** The operations of one partition that wait, in the order of the input. */
export class PartitionQueue {
  /** The partition. */
  readonly partitionKey: string
  readonly #limits: ChangeSetLimits
  /** The operations of the next transaction. */
  #next: Transaction
  /** The operations after them. */
  #later: PendingOperation[] = []

  /**
   * @param partitionKey - the partition
   * @param limits - how much a transaction holds
   */
  constructor(partitionKey: string, limits: ChangeSetLimits) {
    this.partitionKey = partitionKey
    this.#limits = limits
    this.#next = new Transaction(limits)
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#next.operations.length === 0
  }

  /** Whether more operations would not make the next transaction larger. */
  get isFull(): boolean {
    return this.#later.length > 0 || this.#next.isFull
  }

  /** Adds an operation at the end. */
  add(operation: PendingOperation): void {
    if (this.#later.length > 0 || !this.#next.add(operation)) this.#later.push(operation)
  }

  /** Takes the operations of the next transaction: as many as fit, and each row once. */
  take(): readonly PendingOperation[] {
    const { operations } = this.#next
    const waiting = this.#later
    this.#next = new Transaction(this.#limits)
    const rest = waiting.findIndex((operation) => !this.#next.add(operation))
    this.#later = rest < 0 ? [] : waiting.slice(rest)
    return operations
  }
}

/** A transaction that is being filled. */
class Transaction {
  readonly operations: PendingOperation[] = []
  readonly #limits: ChangeSetLimits
  readonly #rows = new Set<string>()
  #bytes = 0

  constructor(limits: ChangeSetLimits) {
    this.#limits = limits
  }

  get isFull(): boolean {
    const { changes, bytes } = this.#limits
    const isAlone = this.operations[0]?.isInDoubt === true
    return isAlone || this.operations.length >= changes || this.#bytes >= bytes
  }

  /**
   * Adds an operation, if it fits and its row is not in the transaction.
   *
   * @returns whether it was added; the first always is, since it can be sent alone
   */
  add(operation: PendingOperation): boolean {
    const { rowKey } = operation.change.input.key
    const bytes = this.#bytes + operation.bytes
    const isFirst = this.operations.length === 0
    if (!isFirst && (this.isFull || operation.isInDoubt)) return false
    if (!isFirst && (bytes > this.#limits.bytes || this.#rows.has(rowKey))) return false
    this.operations.push(operation)
    this.#rows.add(rowKey)
    this.#bytes = bytes
    return true
  }
}
