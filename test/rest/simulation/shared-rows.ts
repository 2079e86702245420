import { localTableService, seededRandom } from '@rowkey/local'
import {
  AmbiguousWriteError,
  createTable,
  deleteEntity,
  EntityAlreadyExistsError,
  ETagMismatchError,
  getEntity,
  insertEntity,
  perform,
  type TableService,
  tableService,
  updateEntity,
} from '@rowkey/rest'
import './load-everything.ts'
import { SimulatedNetwork } from './simulated-network.ts'
import { VirtualTime } from './virtual-time.ts'

const CLIENTS = 8
const COUNTER = { table: 'people', key: { partitionKey: 'p', rowKey: 'counter' } }
const LOCK = { table: 'people', key: { partitionKey: 'p', rowKey: 'lock' } }
const LOCK_BODY = '{"PartitionKey":"p","RowKey":"lock"}'

const counterBody = (n: number) => JSON.stringify({ PartitionKey: 'p', RowKey: 'counter', n })

/** Clients that share one row over a faulty network. */
export class SharedRows {
  readonly #time = new VirtualTime()
  readonly #clients: readonly TableService[]
  readonly #network: SimulatedNetwork
  /** How many clients believe that they hold the lock. */
  #holders = 0

  /**
   * @param seed - decides everything
   * @param exactWrites - whether the clients use exact writes
   */
  constructor(seed: number, exactWrites: boolean) {
    let ids = 0
    const { now, sleep } = this.#time
    const local = localTableService({ now, newId: () => `service-${++ids}` })
    const random = seededRandom(seed)
    this.#network = new SimulatedNetwork({
      ...{ time: this.#time, random },
      serve: (request) => local.transport(request),
      onServed: () => {},
      onEvent: () => {},
    })
    const { transport } = this.#network
    const connectionString = local.connectionString()
    const newId = () => `client-${++ids}`
    const settings = { connectionString, transport, now, sleep, random, newId, exactWrites }
    this.#clients = Array.from({ length: CLIENTS }, () => tableService(settings))
  }

  /**
   * Lets every client increment one counter, by its ETag.
   *
   * @param times - how many increments each client makes
   * @returns the values that clients stored, and the value in the end
   */
  async increments(times: number): Promise<{ claimed: readonly number[]; stored: unknown }> {
    const claimed: number[] = []
    await this.#prepare(async (first) => {
      await perform(first, insertEntity, { ...COUNTER, body: counterBody(0) })
    })
    await this.#underFaults(async (client) => {
      for (let done = 0; done < times; ) {
        const value = await this.#increment(client)
        if (value === undefined) continue
        claimed.push(value)
        done++
      }
    })
    const { raw } = await this.#time.run(perform(this.#clients[0]!, getEntity, COUNTER))
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
    await this.#prepare(async () => {})
    await this.#underFaults(async (client) => {
      for (let done = 0; done < times; ) {
        if (!(await this.#take(client))) continue
        most = Math.max(most, ++this.#holders)
        await this.#time.sleep(50)
        this.#holders--
        await this.#release(client)
        done++
      }
    })
    return most
  }

  async #prepare(more: (first: TableService) => Promise<void>): Promise<void> {
    this.#network.faultRate = 0
    const [first] = this.#clients
    await this.#time.run(perform(first!, createTable, LOCK).then(() => more(first!)))
  }

  async #underFaults(work: (client: TableService) => Promise<void>): Promise<void> {
    this.#network.faultRate = 0.3
    await this.#time.run(Promise.all(this.#clients.map(work)))
    this.#network.faultRate = 0
    await this.#time.runOut()
  }

  /** Stores the next value; `undefined` when it was not stored. */
  async #increment(client: TableService): Promise<number | undefined> {
    const found = await perform(client, getEntity, COUNTER).catch(() => undefined)
    if (found === undefined) return undefined
    const next = Number(found.raw.n) + 1
    const write = { ...COUNTER, body: counterBody(next), etag: found.etag }
    const isStored = await this.#isApplied(perform(client, updateEntity, write))
    return isStored ? next : undefined
  }

  async #take(client: TableService): Promise<boolean> {
    const isMine = await this.#isApplied(
      perform(client, insertEntity, { ...LOCK, body: LOCK_BODY }),
    )
    if (!isMine) await this.#time.sleep(200)
    return isMine
  }

  /** Repeats until the lock is certainly gone. */
  async #release(client: TableService): Promise<void> {
    const write = { ...LOCK, body: '', etag: '*' }
    while (!(await this.#isApplied(perform(client, deleteEntity, write))))
      await this.#time.sleep(10)
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
        await this.#time.sleep(1_000)
      }
    }
  }
}
