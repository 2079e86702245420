import {
  type Change,
  insertEntity,
  mergeEntity,
  perform,
  type TableService,
  updateEntity,
} from '@rowkey/rest'
import { FaultyClients } from './faulty-clients.ts'
import {
  type Ending,
  type ReadRow,
  type RowClient,
  rowClient,
  rowOf,
  type Span,
} from './history.ts'

const KEYS = ['a', 'b', 'c', 'd'] as const

/** A transaction of the list-append workload. */
export interface AppendTransaction extends Span {
  readonly ending: Ending
  /** The lists that it read, also those that it appended to, before it did. */
  readonly reads: ReadonlyMap<string, readonly number[]>
  /** What it appended to which list. Each number is appended once. */
  readonly appends: ReadonlyMap<string, number>
}

/** What came of the workload. */
export interface AppendHistory {
  readonly transactions: readonly AppendTransaction[]
  /** The lists in the end. */
  readonly final: ReadonlyMap<string, readonly number[]>
}

/** Transactions that read lists and append unique numbers to some of them, as Jepsen's workload does. */
export class ListAppend {
  readonly #clients: FaultyClients
  readonly #rows: RowClient
  readonly #transactions: AppendTransaction[] = []
  #events = 0
  #left = 0
  #numbers = 0

  /**
   * @param seed - decides everything
   * @param exactWrites - whether the clients use exact writes
   * @param rows - how clients read and write
   */
  constructor(seed: number, exactWrites: boolean, rows: RowClient = rowClient) {
    this.#clients = new FaultyClients(seed, { exactWrites })
    this.#rows = rows
  }

  /** Runs transactions under faults, and reads all lists in the end. */
  async run(transactions: number): Promise<AppendHistory> {
    this.#left = transactions
    await this.#clients.prepare(async (first) => {
      for (const key of KEYS) await perform(first, insertEntity, rowOf(key, '[]'))
    })
    await this.#clients.underFaults(async (client) => {
      while (this.#left-- > 0) await this.#transact(client)
    })
    const final = new Map<string, readonly number[]>()
    await this.#clients.withoutFaults(async (client) => {
      for (const key of KEYS) final.set(key, listOf(await rowClient.read(client, key)))
    })
    return { transactions: this.#transactions, final }
  }

  /** Reads first, and then writes by the ETags of all rows that it read. */
  async #transact(client: TableService): Promise<void> {
    const { time, random } = this.#clients
    await time.sleep(random() * 200)
    const began = ++this.#events
    const count = 1 + Math.floor(random() * 3)
    const keys = [...KEYS].sort(() => random() - 0.5).slice(0, count)
    const appends = new Map<string, number>()
    // Reads of several rows are not one snapshot, so a transaction that only reads has one row.
    const isRead = random() < 0.3
    for (const key of keys) {
      if (!isRead && (appends.size === 0 || random() < 0.6)) appends.set(key, ++this.#numbers)
    }
    const read = new Map<string, ReadRow>()
    for (const key of isRead ? keys.slice(0, 1) : keys) {
      const row = await this.#rows.read(client, key).catch(() => undefined)
      if (row === undefined) return
      read.set(key, row)
    }
    const changes = changesOf(read, appends)
    const ending = isRead ? 'ok' : await this.#rows.write(client, changes)
    const ended = ending === 'unknown' ? Number.POSITIVE_INFINITY : ++this.#events
    const reads = new Map([...read].map(([key, row]) => [key, listOf(row)]))
    this.#transactions.push({ began, ended, ending, reads, appends })
  }
}

/** A row that was only read is merged with nothing, so that the service compares its ETag too. */
function changesOf(
  read: ReadonlyMap<string, ReadRow>,
  appends: ReadonlyMap<string, number>,
): readonly Change[] {
  return [...read].map(([key, row]) => {
    const { etag } = row
    const appended = appends.get(key)
    if (appended !== undefined) {
      const value = JSON.stringify([...listOf(row), appended])
      return { operation: updateEntity, input: { ...rowOf(key, value), etag } }
    }
    const body = JSON.stringify({ PartitionKey: 'p', RowKey: key })
    return { operation: mergeEntity, input: { ...rowOf(key, ''), body, etag } }
  })
}

function listOf({ value }: ReadRow): readonly number[] {
  return JSON.parse(value)
}
