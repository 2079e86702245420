import { rm } from 'node:fs/promises'
import { type LocalSnapshot, localTableService, seededRandom } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { type Credential, noRetry, type Sleep, type Transport, tableService } from '@rowkey/rest'
import { VirtualTime } from '../../rest/simulation/virtual-time.ts'
import { declareProgram, type Program } from './history-programs.ts'

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
}

/** A program that runs: its accounts belong to one history. */
export interface RunningProgram extends Program {
  readonly declaration: number
  /** Over a network that may have faults. */
  readonly account: Account
  /** Without faults. */
  readonly calm: Account
}

/** How many declarations there are; about one of ten histories has one that no other had. */
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
  readonly #folder: string | undefined
  readonly #service: ReturnType<typeof localTableService>
  readonly #programs = new Map<number, Program[]>()
  readonly #taken = new Map<number, number>()
  readonly #beginnings: Promise<Beginning>[] = []
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
  beginning(at: number, make: () => Promise<readonly number[]>): Promise<Beginning> {
    this.#beginnings[at] ??= make().then(async (declarations) => ({
      tables: await this.#service.snapshot(),
      declarations,
    }))
    return this.#beginnings[at]
  }

  /** Starts a program that runs in no other process of this history. */
  start(declaration: number, random: () => number, network: Transport): RunningProgram {
    const copies = this.#programs.get(declaration) ?? []
    this.#programs.set(declaration, copies)
    const copy = this.#taken.get(declaration) ?? 0
    this.#taken.set(declaration, copy + 1)
    copies[copy] ??= this.#declare(declaration)
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

  #declare(declaration: number): Program {
    const random = seededRandom(declaration)
    const newId = () => `id${String(++this.#ids).padStart(12, '0')}`
    return declareProgram((below) => Math.floor(random() * below), newId)
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
