import { localTableService, seededRandom } from '@rowkey/local'
import {
  createTable,
  perform,
  type TableService,
  type TableServiceSettings,
  tableService,
} from '@rowkey/rest'
import './load-parser.ts'
import { SimulatedNetwork } from './simulated-network.ts'
import { VirtualTime } from './virtual-time.ts'

const CLIENTS = 8

/** Clients of one table over a faulty network, in virtual time. One seed decides everything. */
export class FaultyClients {
  readonly time: VirtualTime = new VirtualTime()
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number
  readonly #clients: readonly TableService[]
  readonly #network: SimulatedNetwork

  /**
   * @param seed - decides everything
   * @param settings - of each client
   */
  constructor(seed: number, settings: TableServiceSettings) {
    let ids = 0
    const { now, sleep } = this.time
    this.random = seededRandom(seed)
    const local = localTableService({ now, newId: () => `service-${++ids}` })
    this.#network = new SimulatedNetwork({
      ...{ time: this.time, random: this.random },
      serve: (request) => local.transport(request),
      onServed: () => {},
      onEvent: () => {},
    })
    const common = {
      ...{ connectionString: local.connectionString(), transport: this.#network.transport },
      ...{ now, sleep, random: this.random, newId: () => `client-${++ids}` },
    }
    this.#clients = Array.from({ length: CLIENTS }, () => tableService({ ...common, ...settings }))
  }

  /** Creates the table `people` and does more, without faults. */
  async prepare(more: (first: TableService) => Promise<unknown>): Promise<void> {
    await this.withoutFaults(async (first) => {
      await perform(first, createTable, { table: 'people' })
      await more(first)
    })
  }

  /** Lets every client work under faults, and waits until late requests have arrived. */
  async underFaults(work: (client: TableService) => Promise<void>): Promise<void> {
    this.#network.faultRate = 0.3
    await this.time.run(Promise.all(this.#clients.map(work)))
    this.#network.faultRate = 0
    await this.time.runOut()
  }

  /** Lets one client work without faults. */
  async withoutFaults<Result>(work: (client: TableService) => Promise<Result>): Promise<Result> {
    this.#network.faultRate = 0
    return this.time.run(work(this.#clients[0]!)) // there are eight
  }
}
