import type { Change, ChangeSetLimits } from '@rowkey/rest'
import type { BulkOperation } from './bulk-target.ts'

/** At most so many bytes of operations wait or are in flight. */
const MOST_BYTES = 32 * 1024 * 1024
/** How many operations wait or are in flight, unless the caller says otherwise. */
const LEAST_OPERATIONS = 2_000
const MOST_OPERATIONS = 12_800
/** One transaction of each partition in flight, and the next one. */
const OPERATIONS_PER_PARTITION = 200

/** The operations that wait or are in flight, by partition. */
export class OperationBuffer {
  readonly #limits: ChangeSetLimits
  readonly #most: number | undefined
  /** Partitions with waiting operations and without a transaction in flight; the oldest is first. */
  readonly #idle = new Map<string, PartitionQueue>()
  /** Those of them whose next transaction cannot grow. */
  readonly #full = new Set<PartitionQueue>()
  /** Partitions with a transaction in flight: transactions of one partition never overlap. */
  readonly #busy = new Map<string, PartitionQueue>()
  #count = 0
  #bytes = 0

  /**
   * @param limits - how much a transaction holds
   * @param most - how many operations the buffer holds; `undefined` for as many as its partitions need
   */
  constructor(limits: ChangeSetLimits, most: number | undefined) {
    this.#limits = limits
    this.#most = most
  }

  /** Whether no more operations should be read. */
  get isFull(): boolean {
    if (this.#bytes >= MOST_BYTES) return true
    if (this.#most !== undefined) return this.#count >= this.#most
    if (this.#count < LEAST_OPERATIONS) return false
    const needed = OPERATIONS_PER_PARTITION * (this.#idle.size + this.#busy.size)
    return this.#count >= Math.min(MOST_OPERATIONS, needed)
  }

  /** How many operations wait or are in flight. */
  get size(): number {
    return this.#count
  }

  /** Whether nothing waits and nothing is in flight. */
  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Adds an operation. */
  add(operation: PendingOperation): void {
    const { partitionKey } = operation.change.input.key
    this.#count++
    this.#bytes += operation.bytes
    const busy = this.#busy.get(partitionKey)
    const queue = busy ?? this.#idleQueue(partitionKey)
    queue.add(operation)
    if (busy === undefined && queue.isFull) this.#full.add(queue)
  }

  /**
   * Finds the partition of the next transaction. It has no transaction in flight.
   *
   * @param alsoPartial - tells whether a transaction may begin that could still grow
   * @returns `undefined` when no transaction can begin
   */
  nextPartition(alsoPartial: () => boolean): string | undefined {
    const full = first(this.#full)
    if (full !== undefined || this.#idle.size === 0) return full?.partitionKey
    return alsoPartial() ? first(this.#idle.values())?.partitionKey : undefined
  }

  /**
   * Takes the operations of one transaction.
   *
   * @param partitionKey - its partition, from `nextPartition`
   */
  take(partitionKey: string): readonly PendingOperation[] {
    const queue = this.#idle.get(partitionKey)!
    this.#full.delete(queue)
    this.#idle.delete(partitionKey)
    this.#busy.set(partitionKey, queue)
    return queue.take()
  }

  /** Returns the operations of a partition with a transaction in flight that wait for it, in their order. */
  waitingIn(partitionKey: string): readonly PendingOperation[] {
    return this.#busy.get(partitionKey)?.operations ?? []
  }

  /** Forgets the operations of a transaction that ended; the next one of its partition may begin. */
  release(operations: readonly PendingOperation[]): void {
    this.#count -= operations.length
    for (const { bytes } of operations) this.#bytes -= bytes
    const { partitionKey = '' } = operations[0]?.change.input.key ?? {}
    const queue = this.#busy.get(partitionKey)
    this.#busy.delete(partitionKey)
    if (queue === undefined || queue.isEmpty) return
    this.#idle.set(partitionKey, queue)
    if (queue.isFull) this.#full.add(queue)
  }

  #idleQueue(partitionKey: string): PartitionQueue {
    let queue = this.#idle.get(partitionKey)
    if (queue === undefined) {
      queue = new PartitionQueue(partitionKey, this.#limits)
      this.#idle.set(partitionKey, queue)
    }
    return queue
  }
}

function first<Item>(items: Iterable<Item>): Item | undefined {
  for (const item of items) return item
  return undefined
}

/** An operation that waits to be sent. */
export interface PendingOperation {
  /** Its place in the input, counted from 0. */
  readonly index: number
  /** The next item of the input. */
  readonly item: unknown
  readonly operation: BulkOperation
  readonly change: Change
  /** The bytes that it takes in a transaction. */
  readonly bytes: number
  /** Its digest, for the journal; empty without a journal. */
  readonly digest: string
  /** Whether an earlier run may have applied it. Then it is sent alone. */
  readonly isInDoubt: boolean
}

/** The operations of one partition that wait, in the order of the input. */
class PartitionQueue {
  /** The partition. */
  readonly partitionKey: string
  readonly #limits: ChangeSetLimits
  /** The next transactions. The last one may still grow. */
  readonly #transactions: Transaction[] = []

  /**
   * @param partitionKey - the partition
   * @param limits - how much a transaction holds
   */
  constructor(partitionKey: string, limits: ChangeSetLimits) {
    this.partitionKey = partitionKey
    this.#limits = limits
  }

  /** Whether nothing waits. */
  get isEmpty(): boolean {
    return this.#transactions.length === 0
  }

  /** Whether more operations would not make the next transaction larger. */
  get isFull(): boolean {
    return this.#transactions.length > 1 || this.#transactions[0]?.isFull === true
  }

  /** All that wait, in their order. */
  get operations(): readonly PendingOperation[] {
    return this.#transactions.flatMap(({ operations }) => operations)
  }

  /** Adds an operation at the end. */
  add(operation: PendingOperation): void {
    if (this.#transactions.at(-1)?.add(operation)) return
    const next = new Transaction(this.#limits)
    next.add(operation)
    this.#transactions.push(next)
  }

  /** Takes the operations of the next transaction: as many as fit, and each row once. */
  take(): readonly PendingOperation[] {
    return this.#transactions.shift()?.operations ?? []
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
