import {
  deleteEntity,
  entityGroupTransaction,
  insertOrReplaceEntity,
  perform,
  queryEntities,
  type TableService,
} from '@rowkey/rest'

/** The table that all writers share. */
export const TABLE = 'crash'

const ROWS = 12
const BATCHED = 5

/** A write: the new value of each row, or `undefined` for a row to delete. */
type Intent = ReadonlyMap<string, number | undefined>

/**
 * Writes to its own partition, one operation after the other. It records the acknowledged values and
 * the write that was in flight when the service was killed.
 */
export class CrashWriter {
  readonly #partition: string
  readonly #random: () => number
  readonly #acknowledged = new Map<string, number>()
  #pending: Intent = new Map()
  #count = 0

  constructor(partition: string, random: () => number) {
    this.#partition = partition
    this.#random = random
  }

  /** Writes until the service is killed. */
  async write(service: TableService, onAcknowledged: () => void): Promise<void> {
    for (;;) {
      this.#pending = this.#nextIntent()
      const isDone = await this.#send(service, this.#pending).then(
        () => true,
        () => false,
      )
      if (!isDone) return
      this.#take(this.#pending)
      this.#pending = new Map()
      onAcknowledged()
    }
  }

  /** Compares the stored rows with the acknowledged values and returns the differences. */
  async check(service: TableService): Promise<string[]> {
    const stored = await this.#read(service)
    const isApplied = [...this.#pending].every(([row, value]) => stored.get(row) === value)
    if (isApplied) this.#take(this.#pending)
    this.#pending = new Map()
    return rowNames().flatMap((row) => {
      const [expected, found] = [this.#acknowledged.get(row), stored.get(row)]
      return expected === found
        ? []
        : [`${this.#partition}/${row} is ${found}, but ${expected} was acknowledged`]
    })
  }

  #nextIntent(): Intent {
    this.#count += 1
    const names = rowNames()
    const at = Math.floor(this.#random() * ROWS)
    const dice = this.#random()
    if (dice < 0.4) return new Map([[names[at] ?? '', this.#count]])
    if (dice < 0.5) return new Map([[names[at] ?? '', undefined]])
    const batch = Array.from({ length: BATCHED }, (_, step) => names[(at + step) % ROWS] ?? '')
    return new Map(batch.map((row) => [row, this.#count]))
  }

  async #send(service: TableService, intent: Intent): Promise<void> {
    const changes = [...intent].flatMap(([row, value]) => {
      const key = { partitionKey: this.#partition, rowKey: row }
      if (value !== undefined) {
        const body = JSON.stringify({ value, padding: 'x'.repeat(300) })
        return [{ operation: insertOrReplaceEntity, input: { table: TABLE, key, body } }]
      }
      const input = { table: TABLE, key, body: '', etag: '*' }
      return this.#acknowledged.has(row) ? [{ operation: deleteEntity, input }] : []
    })
    if (changes.length > 0) {
      await perform(service, entityGroupTransaction, { table: TABLE, changes })
    }
  }

  async #read(service: TableService): Promise<Map<string, number>> {
    const filter = `PartitionKey eq '${this.#partition}'`
    const { entities } = await perform(service, queryEntities, { table: TABLE, filter })
    return new Map(entities.map(({ RowKey, value }) => [String(RowKey), Number(value)]))
  }

  #take(intent: Intent): void {
    for (const [row, value] of intent) {
      if (value === undefined) this.#acknowledged.delete(row)
      else this.#acknowledged.set(row, value)
    }
  }
}

function rowNames(): string[] {
  return Array.from({ length: ROWS }, (_, at) => `row${at}`)
}
