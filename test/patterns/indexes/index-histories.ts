import { seededRandom } from '@rowkey/local'
import { type Account, upgradeTable } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import type { Transport } from '@rowkey/rest'
import { DEPARTMENTS, HistoryChecks } from './history-checks.ts'
import type { Values } from './history-programs.ts'
import {
  type Beginning,
  DECLARATIONS,
  type HistoryStage,
  type RunningProgram,
} from './history-stage.ts'

/** The errors that tell a program what is wrong, in place of a wrong result. */
const LOUD =
  /^(?:IndexDeclarationDiffers|IndexKeysShared|IndexNotReadable|IndexStateChanged|UniqueValueTaken|EntityAlreadyExists|ResourceNotFound|ConditionNotMet|MissingETag|KeyMismatch|UpdateConditionNotSatisfied|SummaryDiffers|PartitionChanging|KeptRowConflict|UnreadableVersion|UnknownVersion|LaterVersion|BulkIncomplete)$/
const LOST = /died|unknown whether|transport failed|outcome/

const IDS = 5

/** Two of three histories begin with one of so many tables, which other histories have left. */
const BEGINNINGS = 12

/** How many turns a history has that others begin with. */
const TURNS_BEFORE = 8

/**
 * Plays a random history: programs of two versions, with random declarations of the same indexes and sums, write, build, repair, remove, upgrade
 * and die, over a network with faults, and another client writes past them. Whenever a program may read by an index, the rows must be those of
 * the scan, and a sum that it may read must be that of its rows. Most histories are short, and a few are long.
 *
 * @returns what was wrong, in words
 */
export async function playHistory(stage: HistoryStage, seed: number): Promise<readonly string[]> {
  const random = below(seededRandom(seed))
  const turns = turnsOf(random)
  // A run of few histories does not pay for many beginnings.
  const at = random(3) > 0 ? random(seed <= 1_000 ? 3 : BEGINNINGS) : undefined
  const beginning =
    at === undefined ? undefined : await stage.beginning(at, () => playBeginning(stage, at))
  const history = new History(stage, random)
  const wrong = await history.play(turns, beginning)
  return wrong.map((each) => `seed ${seed} in ${stage.kind}, ${each}`)
}

/** Returns the declarations of the programs of the first history whose tables are right at its end. */
async function playBeginning(stage: HistoryStage, at: number): Promise<readonly number[]> {
  // Seeds of histories are positive.
  for (let seed = -1 - at; ; seed -= BEGINNINGS) {
    const history = new History(stage, below(seededRandom(seed)))
    const wrong = await history.play(TURNS_BEFORE)
    if (wrong.length > 0) throw new Error(`beginning ${at} in ${stage.kind}: ${wrong.join('; ')}`)
    if (!history.isOver) return history.declarations
  }
}

function below(random: () => number): (below: number) => number {
  return (below) => Math.floor(random() * below)
}

/** Two of three histories have one or two turns, one of twenty has more than six. */
function turnsOf(random: (below: number) => number): number {
  const kind = random(60)
  if (kind === 0) return 13 + random(28)
  if (kind < 3) return 7 + random(6)
  return kind < 20 ? 3 + random(4) : 1 + random(2)
}

/** Returns an employee with one of its properties, so that a merge may touch no index of its program. */
function oneOf(values: Values, random: (below: number) => number): never {
  const { department, id, lastName = 'L0', email = '0@x', age = 2 } = values
  const properties = [{ lastName }, { email }, { age }]
  return { department, id, ...properties[random(properties.length)] } as never
}

class History {
  readonly #stage: HistoryStage
  readonly #random: (below: number) => number
  readonly #checks: HistoryChecks
  readonly #programs: RunningProgram[] = []
  readonly #seen = new Map<RunningProgram, Values[]>()
  readonly #wrong: string[] = []
  #plain!: Account
  #isCrowded = false
  #isOver = false

  constructor(stage: HistoryStage, random: (below: number) => number) {
    this.#stage = stage
    this.#random = random
    const history = this
    this.#checks = new HistoryChecks({
      get plain() {
        return history.#plain
      },
      isSorted: stage.flavour === 'storage',
      random,
      loud: (place, work) => this.#loud(place, work),
      report: (wrong) => this.#wrong.push(wrong),
    })
  }

  /** Whether rows that another client wrote could not be made right. */
  get isOver(): boolean {
    return this.#isOver
  }

  get declarations(): readonly number[] {
    return this.#programs.map(({ declaration }) => declaration)
  }

  async play(turns: number, beginning?: Beginning): Promise<readonly string[]> {
    const stage = this.#stage
    await stage.clear(beginning)
    this.#plain = stage.open(stage.send, this.#chance, true)
    for (let count = this.#random(3) === 0 ? 3 : 2; count > 0; count--) this.#deploy(beginning)
    if (beginning === undefined) await stage.time.run(this.#begin())
    for (let turn = 0; turn < turns && !this.#isDone(); turn++) {
      await stage.time.run(this.#turn(beginning))
      // The end is compared in any case.
      if (this.#isDone() || this.#random(2) === 0) continue
      await stage.time.run(
        this.#checks.one(this.#program(), this.#department(), this.#values(), `turn ${turn}`),
      )
    }
    await stage.time.runOut()
    if (!this.#isDone()) await stage.time.run(this.#end())
    return this.#wrong
  }

  #isDone(): boolean {
    return this.#isOver || this.#wrong.length > 0
  }

  readonly #chance = (): number => this.#random(1_000) / 1_000

  /** Programs build what they declare, of a table with a few rows. */
  async #begin(): Promise<void> {
    const [program] = this.#programs as [RunningProgram]
    const { Employee, indexes, eventual, summaries, calm } = program
    const count = this.#random(IDS)
    const batch = calm.table(Employee).batch()
    for (let id = 1; id <= count; id++) {
      batch.insertOrReplace({ ...this.#values(), department: 'A', id } as never)
    }
    await this.#loud('the beginning', async () => {
      if (this.#random(3) > 0) await indexes.on(calm).ensure()
      if (this.#random(3) > 0) await eventual.on(calm).ensure()
      if (this.#random(3) > 0) await summaries.on(calm).ensure()
      if (count > 0) await batch.submit()
    })
  }

  async #end(): Promise<void> {
    await this.#checks.all(this.#programs, 'the end', this.#stage.time.sleep)
  }

  /** One to three programs act at once; a write past the indexes is made alone. */
  async #turn(beginning?: Beginning): Promise<void> {
    const kind = this.#random(12)
    if (kind === 0) return this.#writePast()
    if (kind === 1) return this.#deploy(beginning, this.#random(this.#programs.length))
    const crowd = kind < 5 ? 2 + this.#random(2) : 1
    this.#isCrowded = crowd > 1
    await Promise.all(Array.from({ length: crowd }, () => this.#actLoudly()))
    this.#isCrowded = false
  }

  async #actLoudly(): Promise<void> {
    const program = this.#program()
    const account = this.#random(5) === 0 ? this.#openMortal(this.#random(25)) : program.account
    await this.#loud('a step', () => this.#act(program, account))
  }

  /** Runs something that may fail, if the error says why. */
  async #loud(place: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      if (!LOUD.test(code) && !LOST.test(message)) {
        this.#wrong.push(`${place}: ${code} ${message}`)
      }
      return false
    }
  }

  #program(): RunningProgram {
    return this.#programs[this.#random(this.#programs.length)] as RunningProgram
  }

  /** Starts a program; in most cases one that made the tables, in another process. */
  #deploy(beginning?: Beginning, at: number = this.#programs.length): void {
    const known = beginning?.declarations ?? []
    const declaration =
      known.length > 0 && this.#random(3) > 0
        ? (known[this.#random(known.length)] as number)
        : this.#random(DECLARATIONS)
    this.#programs[at] = this.#stage.start(declaration, this.#chance, this.#network)
  }

  #remember(program: RunningProgram, values: Values): void {
    const seen = this.#seen.get(program) ?? []
    this.#seen.set(program, [...seen, values])
  }

  readonly #network: Transport = async (request, limits) => {
    if (this.#isCrowded) await this.#stage.time.sleep(1 + this.#random(9))
    const fault = this.#random(120)
    if (fault === 0) throw new Error('lost request')
    if (fault === 1) {
      // It arrives when its program has given it up.
      this.#stage.time.after(
        this.#random(4_000),
        () => void this.#stage.send(request, limits).catch(() => {}),
      )
      throw new Error('late request')
    }
    const response = await this.#stage.send(request, limits)
    if (fault === 2) throw new Error('lost response')
    return response
  }

  #openMortal(life: number): Account {
    let left = life
    const transport: Transport = (request, limits) =>
      left-- > 0
        ? this.#network(request, limits)
        : Promise.reject(new Error('The program has died.'))
    return this.#stage.open(transport, this.#chance, false)
  }

  #values(): Values {
    return {
      department: this.#department(),
      id: 1 + this.#random(IDS),
      ...(this.#random(4) > 0 && { lastName: `L${this.#random(3)}` }),
      ...(this.#random(4) > 0 && { email: `${this.#random(6)}@x` }),
      ...(this.#random(4) > 0 && { age: this.#random(4) }),
    }
  }

  #department(): string {
    return DEPARTMENTS[this.#random(3) === 0 ? 1 : 0] as string
  }

  /** A client without the indexes writes a row; then a program makes everything right again. */
  async #writePast(): Promise<void> {
    const { department, id, lastName, email, age } = this.#values()
    const row = new DynamicEntity(department, `empid_00000${id}`, {})
    if (lastName !== undefined) row.set('lastName', lastName)
    if (email !== undefined) row.set('mail', email)
    if (age !== undefined) row.set('age', age)
    await this.#plain.table('staff').insertOrReplace(row)
    const { indexes, eventual, summaries, calm } = this.#program()
    const isMended = await this.#loud('after a raw write', async () => {
      await indexes.on(calm).rebuild()
      await eventual.on(calm).rebuild()
      await summaries.on(calm).ensure()
      for (const each of DEPARTMENTS) {
        const found = await summaries.on(calm).rebuild({ department: each } as never)
        // This program cannot read rows of the next version.
        if (found.some(({ kind }) => kind === 'unreadable')) this.#isOver = true
      }
    })
    if (!isMended) this.#isOver = true
    // Until its lease ends, another program does not know that the index is no longer right.
    await this.#stage.time.sleep(20_000)
  }

  async #act(program: RunningProgram, account: Account): Promise<unknown> {
    const { Employee, Invoice, Staff, indexes, billed, eventual, summaries } = program
    const employees = account.table(Employee)
    const values = this.#values()
    const { department, id } = this.#values()
    const target = { department, id }
    const other = { ...this.#values(), department } as Values
    switch (this.#random(30)) {
      case 0:
      case 1:
        return indexes.on(account).ensure({ takeOverAfter: 1_000 })
      case 2:
        return indexes.on(account).rebuild()
      case 3:
        return (
          this.#random(2) === 0 && indexes.on(account).remove(this.#random(2) === 0 ? 'one' : 'two')
        )
      case 4:
        return indexes.on(account)[this.#random(2) === 0 ? 'verify' : 'repair']()
      case 5:
        return eventual.on(account).ensure({ takeOverAfter: 1_000 })
      case 6:
        return eventual.on(account)[this.#random(2) === 0 ? 'verify' : 'repair']()
      case 7:
        return this.#random(3) === 0
          ? eventual.on(account).remove('far')
          : eventual.on(account).rebuild()
      case 8:
        return eventual.on(account).deliver({ table: 'staff', partitionKey: department })
      case 9:
        return this.#random(2) === 0
          ? summaries.on(account).ensure()
          : summaries.on(account).rebuild({ department } as never)
      case 10:
        return upgradeTable(employees)
      case 11:
        return billed.on(account).ensure({ takeOverAfter: 1_000 })
      case 12:
        return account.table(Invoice).insertOrReplace({ department, id, email: `${id}@x` })
      case 13:
        return account
          .table('staff', Staff)
          .batch()
          .insertOrReplace(Invoice, { department, id } as never)
          .insertOrReplace(Employee, other as never)
          .submit()
      case 14:
      case 15:
        return employees.delete(target as never, { etag: '*' })
      case 16:
        return employees
          .query()
          .where({ department, age: this.#random(4) } as never)
          .deleteAll()
      case 17:
      case 18:
        return employees
          .bulk()
          .insertOrReplace([values as never, { ...other, id: 1 + (other.id % IDS) } as never])
      case 19:
        return employees.merge(
          this.#random(2) === 0 ? (values as never) : oneOf(values, this.#random),
          {
            etag: '*',
          },
        )
      case 20:
        return employees.replace(values as never, { etag: '*' })
      case 21:
        return employees.insertOrMerge(values as never)
      case 22:
        return employees.modify(
          target as never,
          (stored) => void Object.assign(stored, { email: other.email, lastName: other.lastName }),
        )
      case 23: {
        const batch = employees.batch().insertOrReplace(other as never)
        const next = { department, id: 1 + (other.id % IDS) }
        return (
          this.#random(2) === 0
            ? batch.delete(next as never, { etag: '*' })
            : batch.insertOrReplace({ ...next, email: `${this.#random(6)}@x` } as never)
        ).submit()
      }
      case 24: {
        const found = await employees.find(target as never)
        if (found !== undefined) this.#remember(program, found as never)
        return
      }
      case 25: {
        const known = this.#seen.get(program)?.pop()
        if (known === undefined) return
        const { email = '5@x', age = 3 } = other
        Object.assign(known, { email, age })
        return this.#random(2) === 0
          ? employees.merge(known as never)
          : employees.replace(known as never)
      }
      case 26:
        return void (await this.#stage.time.sleep(this.#random(30_000)))
      case 27:
        return employees.insert(values as never)
      default:
        return employees.insertOrReplace(values as never)
    }
  }
}
