import { rm } from 'node:fs/promises'
import { type LocalSnapshot, localTableService, seededRandom } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { type Credential, noRetry, type Sleep, type Transport, tableService } from '@rowkey/rest'
import { VirtualTime } from '../../rest/simulation/virtual-time.ts'
import type { HistoryMessages } from './history-messages.ts'
import { declareProgram, type Extent, type Program } from './history-programs.ts'

/** Where the tables of histories are. */
export type StageKind = 'memory' | 'folder' | 'cosmos'

/** The options of {@link HistoryStage}. */
export interface StageOptions {
  readonly kind: StageKind
  /** The folder of a stage of that kind; it is removed with the stage. */
  readonly folder?: string | undefined
}

/** The tables that a history begins with, and the programs that made them. */
export interface Beginning {
  readonly tables: LocalSnapshot
  /** The numbers of the declarations of the programs. */
  readonly declarations: readonly number[]
  /** The marks of the rows. */
  readonly marks: ReadonlyMap<string, number>
  /** How many messages were made. */
  readonly made: number
}

/** A program that runs: its accounts belong to one history. */
export interface RunningProgram extends Program {
  /** Its number among those of its extent. */
  readonly declaration: number
  /** Over a network that may have faults. */
  readonly account: Account
  /** Without faults. */
  readonly calm: Account
}

/** How many declarations each extent has; about one of ten histories has one that no other had. */
export const DECLARATIONS = 120

/** A history begins when everything that an earlier one left has ended, such as a lease. */
const PAUSE = 3_600_000

const ENDPOINT = 'http://localhost/devstoreaccount1'

/** Histories test no signatures, which cost a tenth of their time. */
const unsigned: Credential = {
  authorize: (request) => ({
    ...request,
    headers: { ...request.headers, authorization: 'Bearer history' },
  }),
}

/**
 * A service, and declared programs, for histories that are played one after another. To make them costs more than a short history. Each
 * history has tables, accounts and leases of its own, so that it depends on its seed alone.
 */
export class HistoryStage {
  readonly kind: StageKind
  readonly flavour: 'storage' | 'cosmos'
  /** The time of the history that is played. */
  time: VirtualTime
  /** The messages of the history that is played, when it has outboxes. */
  messages: HistoryMessages | undefined
  readonly #folder: string | undefined
  readonly #service: ReturnType<typeof localTableService>
  readonly #programs = new Map<string, Program[]>()
  readonly #taken = new Map<string, number>()
  readonly #beginnings = new Map<string, Promise<Beginning>>()
  #empty: LocalSnapshot | undefined
  #pending = 0
  #ids = 0

  constructor({ kind, folder }: StageOptions) {
    this.kind = kind
    this.flavour = kind === 'cosmos' ? 'cosmos' : 'storage'
    this.#folder = folder
    this.time = this.#newTime()
    this.#service = localTableService({
      flavour: this.flavour,
      now: () => this.time.now(),
      newId: () => `request-${++this.#ids}`,
      bearer: () => true,
      requestLogSize: 0,
      data: folder,
    })
  }

  /** Puts the tables of a beginning on the stage; without one, empty tables. */
  async clear(beginning?: Beginning): Promise<void> {
    this.time = this.#newTime(this.time.now() + PAUSE)
    this.#taken.clear()
    this.#empty ??= await this.#makeTables()
    await this.#service.restore(beginning?.tables ?? this.#empty)
  }

  /** Returns one of the beginnings; makes it when no history needed it before. */
  beginning(name: string, make: () => Promise<Omit<Beginning, 'tables'>>): Promise<Beginning> {
    const known = this.#beginnings.get(name)
    if (known !== undefined) return known
    const tables = () => this.#service.snapshot()
    const made = make().then(async (parts) => ({ ...parts, tables: await tables() }))
    this.#beginnings.set(name, made)
    return made
  }

  /** Starts a program that runs in no other process of this history. */
  start(
    extent: Extent,
    declaration: number,
    random: () => number,
    network: Transport,
  ): RunningProgram {
    const name = `${extent} ${declaration}`
    const copies = this.#programs.get(name) ?? []
    this.#programs.set(name, copies)
    const copy = this.#taken.get(name) ?? 0
    this.#taken.set(name, copy + 1)
    copies[copy] ??= this.#declare(extent, declaration)
    const program = copies[copy]
    const hasRetries = random() < 0.5
    return {
      ...program,
      declaration,
      account: this.open(network, random, hasRetries),
      calm: this.open(this.send, random, true),
    }
  }

  /** Opens the account of a process. */
  open(transport: Transport, random: () => number, hasRetries: boolean): Account {
    const { time } = this
    const sleep: Sleep = (delay, signal) => time.sleep(Math.ceil(delay), signal)
    return new Account(
      tableService({
        endpoint: ENDPOINT,
        credential: unsigned,
        flavour: this.flavour,
        // Accounts with one transport would share what they know.
        transport: (request, limits) => transport(request, limits),
        now: time.now,
        sleep,
        random,
        newId: () => `id${String(++this.#ids).padStart(12, '0')}`,
        ...(!hasRetries && { retry: noRetry }),
      }),
    )
  }

  /** Sends a request to the service. Time stands still until it responds. */
  readonly send: Transport = async (request, limits) => {
    this.#pending++
    try {
      return await this.#service.transport(request, limits)
    } finally {
      this.#pending--
    }
  }

  async close(): Promise<void> {
    await this.#service.close()
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
  }

  #declare(extent: Extent, declaration: number): Program {
    const random = seededRandom(declaration)
    return declareProgram({
      extent,
      random: (below) => Math.floor(random() * below),
      messages: () => this.messages as HistoryMessages, // The history has set it before it starts programs.
    })
  }

  async #makeTables(): Promise<LocalSnapshot> {
    await this.#service.reset()
    const account = this.open(this.send, () => 0, true)
    await Promise.all([account.createTable('staff'), account.createTable('lookups')])
    return this.#service.snapshot()
  }

  #newTime(start?: number): VirtualTime {
    return new VirtualTime(start, () => this.#pending > 0)
  }
}
