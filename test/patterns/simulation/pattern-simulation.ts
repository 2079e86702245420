import { localTableService, seededRandom } from '@rowkey/local'
import { Account } from '@rowkey/mapper'
import { type TableService, type Transport, tableService } from '@rowkey/rest'
import '../../rest/simulation/load-parser.ts'
import { SimulatedNetwork } from '../../rest/simulation/simulated-network.ts'
import { VirtualTime } from '../../rest/simulation/virtual-time.ts'
import { openOldProgram, openProgram, type Program, step, writeStaff } from './simulated-program.ts'
import { wrongStaff } from './staff-check.ts'

/** What to simulate. */
export interface PatternSimulationOptions {
  readonly seed: number
  /** How many steps the programs make in all. */
  readonly steps: number
}

/** What came of a simulation. */
export interface PatternSimulationResult {
  /** What was wrong, in words. */
  readonly wrong: readonly string[]
  /** How often the rows were compared, right after a request was served. */
  readonly checks: number
  /** How many programs died in the middle of a step. */
  readonly kills: number
  /** How many steps succeeded, and how many failed. */
  readonly succeeded: number
  readonly failed: number
  /** How many faults the network had. */
  readonly faults: number
  /** How many rows were left to compare at the end. */
  readonly rows: number
}

const PROGRAMS = 4

/**
 * Simulates rival programs over a faulty network, in virtual time, which die at any of their requests. First some of
 * them are of a version without the patterns; then what those left behind is repaired, and from there on the rows of
 * one transaction must be right after each request.
 */
export class PatternSimulation {
  readonly #time = new VirtualTime()
  readonly #random: () => number
  readonly #network: SimulatedNetwork
  readonly #connectionString: string
  /** Reads and repairs without the network. */
  readonly #direct: Program
  readonly #plain: Account
  readonly #wrong = new Set<string>()
  readonly #steps: number
  readonly #counts = { checks: 0, kills: 0, succeeded: 0, failed: 0 }
  #isExact = false
  #left = 0
  #ids = 0

  constructor({ seed, steps }: PatternSimulationOptions) {
    this.#random = seededRandom(seed)
    this.#steps = steps
    const local = localTableService({ now: this.#time.now, newId: this.#newId, requestLogSize: 1 })
    this.#connectionString = local.connectionString()
    this.#plain = new Account(this.#service(local.transport))
    this.#network = new SimulatedNetwork({
      time: this.#time,
      random: this.#random,
      serve: async (request) => {
        const response = await local.transport(request)
        if (this.#isExact && request.method !== 'GET') await this.#check()
        return response
      },
      onServed: () => undefined,
      onEvent: () => undefined,
    })
    this.#direct = this.#program(local.transport)
  }

  /** Runs it: programs of two versions, repair, programs of one version, and then silence. */
  async run(): Promise<PatternSimulationResult> {
    await this.#time.run(this.#prepare())
    this.#network.faultRate = 0.15
    await this.#time.run(this.#crowd(true))
    this.#network.faultRate = 0
    await this.#time.runOut()
    await this.#time.run(this.#repair())
    this.#isExact = true
    await this.#time.run(this.#check())
    this.#network.faultRate = 0.15
    await this.#time.run(this.#crowd(false))
    this.#network.faultRate = 0
    await this.#time.runOut()
    await this.#time.run(this.#settle())
    const rows = await this.#time.run(this.#direct.employees.query().allowTableScan().count())
    const faults = [...this.#network.fired.values()].reduce((sum, count) => sum + count, 0)
    return { ...this.#counts, wrong: [...this.#wrong], faults, rows }
  }

  async #prepare(): Promise<void> {
    for (const name of ['staff', 'lookups', 'queues']) await this.#plain.createTable(name)
    await this.#direct.indexed.state('email')
  }

  /** Lets the programs make half of all steps. */
  async #crowd(isMixed: boolean): Promise<void> {
    this.#left = this.#steps / 2
    const works = Array.from({ length: PROGRAMS }, () => this.#live())
    if (isMixed) works.push(this.#liveOld())
    await Promise.all(works)
  }

  /** The lives of one program: it dies now and then, and another one takes its place. */
  async #live(): Promise<void> {
    while (this.#left > 0) {
      const life = this.#below(4) > 0 ? Number.POSITIVE_INFINITY : 1 + this.#below(40)
      const mortal = this.#mortal(life)
      const program = this.#program(mortal.transport)
      while (this.#left-- > 0 && !mortal.isDead()) {
        await this.#time.sleep(this.#below(500))
        await this.#count(step(program, this.#below))
        if (this.#below(20) === 0) break
      }
      if (mortal.isDead()) this.#counts.kills++
    }
  }

  async #liveOld(): Promise<void> {
    const employees = openOldProgram(this.#service(this.#network.transport))
    while (this.#left-- > 0) {
      await this.#time.sleep(this.#below(500))
      await this.#count(writeStaff(employees, this.#below))
    }
  }

  async #count(work: Promise<void>): Promise<void> {
    await work.then(
      () => this.#counts.succeeded++,
      () => this.#counts.failed++,
    )
  }

  /** Repairs what programs without the patterns left behind. Shared values are changed first, since only a person can. */
  async #repair(): Promise<void> {
    const { indexed, counts, managers, account, employees } = this.#direct
    const owners = new Set<string>()
    for await (const one of employees.query().allowTableScan()) {
      const value = `${one.department} ${one.email}`
      if (one.email !== undefined && owners.has(value)) {
        await this.#plain
          .table('staff')
          .delete(
            { partitionKey: one.department, rowKey: `empid_${String(one.id).padStart(6, '0')}` },
            { etag: '*' },
          )
      }
      owners.add(value)
    }
    await indexed.repair()
    await counts.repair()
    await managers.on(account).repair()
  }

  /** Does what the workers have left, and compares everything. */
  async #settle(): Promise<void> {
    const { jobs, outbox, account, indexed, counts } = this.#direct
    await jobs.retryDead()
    await jobs.drain()
    await outbox.on(account).drain()
    await indexed.drain()
    await indexed.repair({ only: ['everywhere'] })
    await this.#check()
    const { found: differences } = await indexed.verify()
    if (differences > 0) this.#wrong.add(`the end: ${differences} differences of indexes`)
    const { found } = await counts.verify()
    if (found > 0) this.#wrong.add(`the end: ${found} counts`)
    const rows = await this.#plain.table('staff').query().allowTableScan().toArray()
    const left = rows.filter(({ rowKey }) => /^~rk~ob~.*[^.]$/.test(rowKey))
    if (left.length > 0) this.#wrong.add(`the end: ${left.length} messages are left over`)
  }

  async #check(): Promise<void> {
    this.#counts.checks++
    for (const problem of await wrongStaff(this.#plain)) this.#wrong.add(problem)
  }

  #program(transport: Transport): Program {
    return openProgram(this.#service(transport))
  }

  #service(transport: Transport): TableService {
    return tableService({
      connectionString: this.#connectionString,
      transport,
      now: this.#time.now,
      random: this.#random,
      sleep: this.#time.sleep,
      newId: this.#newId,
    })
  }

  /** A transport over the network that carries so many requests, and then none: its program has died. */
  #mortal(requests: number): { readonly transport: Transport; isDead(): boolean } {
    let left = requests
    const transport: Transport = (request, limits) =>
      left-- > 0
        ? this.#network.transport(request, limits)
        : Promise.reject(new Error('The program has died.'))
    return { transport, isDead: () => left < 0 }
  }

  readonly #below = (limit: number): number => Math.floor(this.#random() * limit)

  readonly #newId = (): string => `id-${String(++this.#ids).padStart(8, '0')}`
}
