import { type ManualClock, manualClock } from '@rowkey/local'
import { Account, type EntityTarget } from '@rowkey/mapper'
import type { AttemptLimits, HttpRequest, HttpResponse, Transport } from '@rowkey/rest'
import { ServiceLog } from './history-log.ts'
import type { StoredRow } from './history-rows.ts'
import type { Scene, View } from './history-scenes.ts'
import type { Spot } from './history-steps.ts'

/** A table of any entities, as the histories call it. */
export interface AnyTable {
  get(target: EntityTarget | object, options?: object): Promise<object>
  find(target: EntityTarget | object, options?: object): Promise<object | undefined>
  getMany(targets: readonly object[]): Promise<(object | undefined)[]>
  query(): AnyQuery
  modify(target: object, modifier: (entity: object) => unknown, options?: object): Promise<object>
  reload(entity: object, options?: object): Promise<boolean>
  batch(): AnyBatch
  execute(given: object, options?: object): Promise<unknown>
  insert(entity: object, options?: object): Promise<object>
  merge(entity: object, options?: object): Promise<object>
  replace(entity: object, options?: object): Promise<object>
  insertOrMerge(entity: object, options?: object): Promise<object>
  insertOrReplace(entity: object, options?: object): Promise<object>
  delete(entity: object, options?: object): Promise<void>
  deleteIfExists(entity: object, options?: object): Promise<boolean>
}

interface AnyQuery {
  where(condition: object): AnyQuery
  select(...names: string[]): AnyQuery
  toArray(): Promise<object[]>
}

interface AnyBatch {
  insert(entity: object): AnyBatch
  merge(entity: object, options?: object): AnyBatch
  replace(entity: object, options?: object): AnyBatch
  insertOrMerge(entity: object): AnyBatch
  insertOrReplace(entity: object): AnyBatch
  delete(entity: object, options?: object): AnyBatch
  retrieve(target: object): AnyBatch
  submit(options?: object): Promise<readonly { readonly entity?: object | undefined }[]>
}

/** A deliberate defect of a client. */
export interface Defect {
  /** Stands between the client and the service. */
  readonly transport?: (transport: Transport) => Transport
  /** Stands between the caller and the client. */
  readonly table?: (table: AnyTable) => AnyTable
}

/** Sends a request of a client to a service. */
export type Send = (
  log: ServiceLog,
  request: HttpRequest,
  limits: AttemptLimits | undefined,
) => Promise<HttpResponse>

const TABLES = ['one', 'two'] as const
const ROWS = ['a', 'a', 'a', 'b', 'b', 'c'] as const

/** One row of one table of one account. */
export interface Place {
  readonly log: ServiceLog
  readonly account: number
  readonly table: string
  readonly key: readonly [string, string]
}

/** Two accounts, each on a service of its own, and one clock. They serve many histories, one after another. */
export class Services {
  readonly clock: ManualClock = manualClock()
  readonly logs: readonly [ServiceLog, ServiceLog]
  /** How requests are sent just now. */
  send: Send = (log, request, limits) => log.deliver(request, limits, undefined)
  readonly #accounts: readonly Account[]
  readonly #tables = new Map<string, AnyTable>()

  readonly #defect: Defect

  private constructor(defect: Defect) {
    this.#defect = defect
    const { transport: faulty = (transport: Transport) => transport } = defect
    this.logs = [new ServiceLog('A', this.clock), new ServiceLog('B', this.clock)]
    this.#accounts = this.logs.map((log) => {
      const transport = faulty((request, limits) => this.send(log, request, limits))
      return new Account(log.client(transport, this.clock))
    })
  }

  /** Starts them, with their tables. */
  static async start(defect: Defect = {}): Promise<Services> {
    const services = new Services(defect)
    for (const account of services.#accounts) {
      for (const table of TABLES) await account.createTable(table)
    }
    for (const log of services.logs) await log.clear()
    return services
  }

  /** Empties all tables. */
  async clear(): Promise<void> {
    // Times go on, and the next history begins on a round one.
    this.clock.advance(1_000)
    for (const log of this.logs) await log.clear()
  }

  /** What is stored in a place now. */
  row(place: string): StoredRow | undefined {
    return this.logs.find(({ account }) => place.startsWith(`${account}/`))?.row(place)
  }

  /** The row that a step is about. */
  at({ account, table, row }: Spot): Place {
    const index = account < 6 ? 0 : 1
    return {
      log: this.logs[index],
      account: index,
      table: TABLES[table < 6 ? 0 : 1],
      key: ['p', ROWS[row % ROWS.length] ?? 'a'],
    }
  }

  /** A table as a view of it opens it. */
  table(scene: Scene, view: View, { account, table }: Place): AnyTable {
    const name = `${scene.title} ${view.title} ${account} ${table}`
    let opened = this.#tables.get(name)
    if (opened === undefined) {
      const at = this.#accounts[account]
      if (at === undefined) throw new Error('unknown account')
      opened = view.open(at, table) as AnyTable // whatever it is of, it has these methods
      opened = this.#defect.table?.(opened) ?? opened
      this.#tables.set(name, opened)
    }
    return opened
  }

  /** Compares the model of the services with what they store. */
  async check(): Promise<void> {
    for (const log of this.logs) for (const table of TABLES) await log.check(table)
  }

  async close(): Promise<void> {
    for (const log of this.logs) await log.local.close()
  }
}
