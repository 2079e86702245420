import {
  type Change,
  insertEntity,
  insertOrReplaceEntity,
  perform,
  type TableService,
  updateEntity,
} from '@rowkey/rest'
import { FaultyClients } from './faulty-clients.ts'
import { type RowClient, rowClient, rowOf, type Span } from './history.ts'

const KEYS = ['a', 'b', 'c', 'd'] as const

/** One operation on a register that was applied, or may have been. */
export interface RegisterOperation extends Span {
  readonly kind: 'read' | 'write' | 'compare and set'
  /** What was read, or written. Each value is written once. */
  readonly value: string
  /** The value that the register must have had, for `compare and set`. */
  readonly expected?: string
}

/** The value of every register before the first operation. */
export const FIRST_VALUE = '0'

/** Clients that read, write, and compare and set a few registers. */
export class Registers {
  readonly #clients: FaultyClients
  readonly #rows: RowClient
  readonly #histories = new Map<string, RegisterOperation[]>(KEYS.map((key) => [key, []]))
  #events = 0
  #left = 0
  #values = 0

  /**
   * @param seed - decides everything
   * @param exactWrites - whether the clients use exact writes
   * @param rows - how clients read and write
   */
  constructor(seed: number, exactWrites: boolean, rows: RowClient = rowClient) {
    this.#clients = new FaultyClients(seed, { exactWrites })
    this.#rows = rows
  }

  /** Runs operations under faults, and reads every register in the end. */
  async run(operations: number): Promise<ReadonlyMap<string, readonly RegisterOperation[]>> {
    this.#left = operations
    await this.#clients.prepare(async (first) => {
      for (const key of KEYS) await perform(first, insertEntity, rowOf(key, FIRST_VALUE))
    })
    await this.#clients.underFaults(async (client) => {
      while (this.#left-- > 0) await this.#operate(client)
    })
    await this.#clients.withoutFaults(async (client) => {
      for (const key of KEYS) await this.#read(client, key, rowClient)
    })
    return this.#histories
  }

  async #operate(client: TableService): Promise<void> {
    const { time, random } = this.#clients
    await time.sleep(random() * 200)
    const key = KEYS[Math.floor(random() * KEYS.length)] ?? KEYS[0]
    const chance = random()
    if (chance < 0.4) await this.#read(client, key, this.#rows)
    else if (chance < 0.6) await this.#write(client, key)
    else await this.#compareAndSet(client, key)
  }

  /** A read without a result shows nothing. */
  async #read(client: TableService, key: string, rows: RowClient) {
    const began = ++this.#events
    const row = await rows.read(client, key).catch(() => undefined)
    const ended = ++this.#events
    if (row !== undefined) this.#record(key, { kind: 'read', value: row.value, began, ended })
    return row
  }

  async #write(client: TableService, key: string): Promise<void> {
    const value = String(++this.#values)
    const change = { operation: insertOrReplaceEntity, input: rowOf(key, value) }
    await this.#change(client, key, change, { kind: 'write', value })
  }

  async #compareAndSet(client: TableService, key: string): Promise<void> {
    const row = await this.#read(client, key, this.#rows)
    if (row === undefined) return
    const { value: expected, etag } = row
    const value = String(++this.#values)
    const change = { operation: updateEntity, input: { ...rowOf(key, value), etag } }
    await this.#change(client, key, change, { kind: 'compare and set', value, expected })
  }

  async #change(
    client: TableService,
    key: string,
    change: Change,
    operation: Omit<RegisterOperation, keyof Span>,
  ): Promise<void> {
    const began = ++this.#events
    const ending = await this.#rows.write(client, [change])
    if (ending === 'fail') return
    const ended = ending === 'ok' ? ++this.#events : Number.POSITIVE_INFINITY
    this.#record(key, { ...operation, began, ended })
  }

  #record(key: string, operation: RegisterOperation): void {
    this.#histories.get(key)?.push(operation)
  }
}
