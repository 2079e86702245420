import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type LocalTableService,
  type LocalTableServiceOptions,
  localTableService,
} from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { type Flavour, type Transport, tableService, undiciTransport } from '@rowkey/rest'
import { VirtualTime } from '../../rest/simulation/virtual-time.ts'
import { ACCOUNTS, type AccountName, KEY } from '../raw-rows.ts'
import { Traffic, Wire } from '../wire.ts'

/** Where the tables are. */
export interface Service {
  readonly options?: Pick<LocalTableServiceOptions, 'flavour'>
  /** Whether programs reach it over a socket. */
  readonly listens?: boolean
  /** Whether it keeps its rows in a folder. */
  readonly isDurable?: boolean
  /** Makes the name of a table. */
  tableName?(number: number): string
}

export const services = {
  memory: {},
  HTTP: { listens: true },
  folder: { isDurable: true },
  'Cosmos flavour': {
    options: { flavour: 'cosmos' },
    listens: true,
    tableName: (number) => `表 ${number}`,
  },
} satisfies Readonly<Record<string, Service>> as Readonly<Record<ServiceName, Service>>

/** The names of the services. */
export type ServiceName = 'memory' | 'HTTP' | 'folder' | 'Cosmos flavour'

/** A service that runs, and the programs that use it. */
export class RunningService {
  readonly traffic: Traffic = new Traffic()
  readonly time: VirtualTime = new VirtualTime(undefined, this.traffic.isBusy)
  local: LocalTableService
  readonly #service: Service
  readonly #folder: string | undefined
  #transport: Transport
  #origin = 'http://localhost'
  #ids = 0
  #tables = 0

  private constructor(service: Service, folder: string | undefined) {
    this.#service = service
    this.#folder = folder
    this.local = this.#made()
    this.#transport = this.local.transport
  }

  /** Starts a service. */
  static async start(service: Service): Promise<RunningService> {
    const isDurable = service.isDurable === true
    const folder = isDurable ? await mkdtemp(join(tmpdir(), 'rowkey-')) : undefined
    const running = new RunningService(service, folder)
    if (service.listens !== true) return running
    const { port } = await running.local.listen({ port: 0 })
    running.#origin = `http://127.0.0.1:${port}`
    running.#transport = undiciTransport()
    return running
  }

  /** Opens an account as a program does, with a connection of its own. */
  open(name: AccountName = ACCOUNTS[0]): { readonly account: Account; readonly wire: Wire } {
    const wire = new Wire(
      (request, limits) => this.#transport(request, limits),
      this.time,
      this.traffic,
    )
    const { flavour } = this.#service.options ?? {}
    const service = tableService({
      connectionString: `AccountName=${name};AccountKey=${KEY};TableEndpoint=${this.#origin}/${name}`,
      ...(flavour !== undefined && { flavour: flavour as Flavour }),
      transport: wire.transport,
      retryBudget: false,
      now: this.time.now,
      sleep: this.time.sleep,
      random: () => 0.5,
      newId: () => `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`,
    })
    return { account: new Account(service), wire }
  }

  /** Returns a name that no table has. */
  newTableName(): string {
    const { tableName = (number: number) => `people${number}` } = this.#service
    return tableName(++this.#tables)
  }

  /** Ends the service as a crash of its process would, where it has a folder, and starts it again. */
  async restart(): Promise<void> {
    if (this.#folder === undefined) return
    await this.local.close()
    this.local = this.#made()
    this.#transport = this.local.transport
  }

  async close(): Promise<void> {
    await this.#transport.close?.()
    await this.local.close()
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
  }

  #made(): LocalTableService {
    return localTableService({
      ...this.#service.options,
      accounts: ACCOUNTS.map((name) => ({ name, key: KEY })),
      ...(this.#folder !== undefined && { data: this.#folder }),
      now: this.time.now,
      pause: this.time.sleep,
    })
  }
}
