import type { ChangeSetLimits } from '@rowkey/rest'
import { PartitionQueue, type PendingOperation } from './partition-queue.ts'

/** At most so many bytes of operations wait or are in flight. */
const MOST_BYTES = 64 * 1024 * 1024

/** The operations that wait or are in flight, by partition. */
export class OperationBuffer {
  readonly #limits: ChangeSetLimits
  readonly #most: number
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
   * @param most - how many operations the buffer holds
   */
  constructor(limits: ChangeSetLimits, most: number) {
    this.#limits = limits
    this.#most = most
  }

  /** Whether no more operations should be read. */
  get isFull(): boolean {
    return this.#count >= this.#most || this.#bytes >= MOST_BYTES
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
   * Takes the operations of one transaction, of a partition that has none in flight.
   *
   * @param alsoPartial - whether a transaction may begin that could still grow
   * @returns `undefined` when no transaction can begin
   */
  take(alsoPartial: boolean): readonly PendingOperation[] | undefined {
    const queue = first(this.#full) ?? (alsoPartial ? first(this.#idle.values()) : undefined)
    if (queue === undefined) return undefined
    this.#full.delete(queue)
    this.#idle.delete(queue.partitionKey)
    this.#busy.set(queue.partitionKey, queue)
    return queue.take()
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
