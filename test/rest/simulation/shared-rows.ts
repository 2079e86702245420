import {
  AmbiguousWriteError,
  deleteEntity,
  EntityAlreadyExistsError,
  ETagMismatchError,
  getEntity,
  insertEntity,
  perform,
  type TableService,
  updateEntity,
} from '@rowkey/rest'
import { FaultyClients } from './faulty-clients.ts'

const COUNTER = { table: 'people', key: { partitionKey: 'p', rowKey: 'counter' } }
const LOCK = { table: 'people', key: { partitionKey: 'p', rowKey: 'lock' } }
const LOCK_BODY = '{"PartitionKey":"p","RowKey":"lock"}'

const counterBody = (n: number) => JSON.stringify({ PartitionKey: 'p', RowKey: 'counter', n })

/** Clients that share one row over a faulty network. */
export class SharedRows {
  readonly #clients: FaultyClients
  /** How many clients believe that they hold the lock. */
  #holders = 0

  /**
   * @param seed - decides everything
   * @param exactWrites - whether the clients use exact writes
   */
  constructor(seed: number, exactWrites: boolean) {
    this.#clients = new FaultyClients(seed, { exactWrites })
  }

  /**
   * Lets every client increment one counter.
   *
   * @param times - how many increments each client makes
   * @param condition - the ETag that was read, or whatever is stored, which is wrong
   * @returns the values that clients stored, and the value in the end
   */
  async increments(
    times: number,
    condition: 'own' | '*' = 'own',
  ): Promise<{ claimed: readonly number[]; stored: unknown }> {
    const claimed: number[] = []
    await this.#clients.prepare((first) =>
      perform(first, insertEntity, { ...COUNTER, body: counterBody(0) }),
    )
    await this.#clients.underFaults(async (client) => {
      for (let done = 0; done < times; ) {
        const value = await this.#increment(client, condition)
        if (value === undefined) continue
        claimed.push(value)
        done++
      }
    })
    const { raw } = await this.#clients.withoutFaults((client) =>
      perform(client, getEntity, COUNTER),
    )
    return { claimed, stored: raw.n }
  }

  /**
   * Lets every client take one lock and give it back. The lock is a row that one client inserts, with the same
   * content for all.
   *
   * @param times - how often each client takes it
   * @returns the most clients that held it at once
   */
  async locks(times: number): Promise<number> {
    let most = 0
    await this.#clients.prepare(async () => {})
    await this.#clients.underFaults(async (client) => {
      for (let done = 0; done < times; ) {
        if (!(await this.#take(client))) continue
        most = Math.max(most, ++this.#holders)
        await this.#clients.time.sleep(50)
        this.#holders--
        await this.#release(client)
        done++
      }
    })
    return most
  }

  /** Stores the next value; `undefined` when it was not stored. */
  async #increment(client: TableService, condition: 'own' | '*'): Promise<number | undefined> {
    const found = await perform(client, getEntity, COUNTER).catch(() => undefined)
    if (found === undefined) return undefined
    const next = Number(found.raw.n) + 1
    const etag = condition === 'own' ? found.etag : condition
    const write = { ...COUNTER, body: counterBody(next), etag }
    const isStored = await this.#isApplied(perform(client, updateEntity, write))
    return isStored ? next : undefined
  }

  async #take(client: TableService): Promise<boolean> {
    const isMine = await this.#isApplied(
      perform(client, insertEntity, { ...LOCK, body: LOCK_BODY }),
    )
    if (!isMine) await this.#clients.time.sleep(200)
    return isMine
  }

  /** Repeats until the lock is certainly gone. */
  async #release(client: TableService): Promise<void> {
    const write = { ...LOCK, body: '', etag: '*' }
    while (!(await this.#isApplied(perform(client, deleteEntity, write))))
      await this.#clients.time.sleep(10)
  }

  /** Tells whether a write was applied; asks until the service can be reached. */
  async #isApplied(work: Promise<unknown>): Promise<boolean> {
    try {
      await work
      return true
    } catch (error) {
      if (error instanceof ETagMismatchError || error instanceof EntityAlreadyExistsError)
        return false
      if (!(error instanceof AmbiguousWriteError)) return false
      for (;;) {
        const outcome = await error.resolve().catch(() => undefined)
        if (outcome !== undefined) return outcome === 'applied'
        await this.#clients.time.sleep(1_000)
      }
    }
  }
}
