import { seededRandom } from '@rowkey/local'
import { type Account, upgradeTable } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import { UniqueValueError } from '@rowkey/patterns'
import type { Transport } from '@rowkey/rest'
import { isRejectedRightly } from './history-catalogue.ts'
import { DEPARTMENTS, HistoryChecks } from './history-checks.ts'
import { HistoryMessages } from './history-messages.ts'
import type { Extent, Values } from './history-programs.ts'
import {
  type Beginning,
  DECLARATIONS,
  type HistoryStage,
  type RunningProgram,
} from './history-stage.ts'

/** The errors that tell a program what is wrong, in place of a wrong result. */
const LOUD =
  /^(?:IndexDeclarationDiffers|IndexKeysShared|IndexNotReadable|IndexStateChanged|UniqueValueTaken|SummaryDiffers|PartitionChanging|KeptRowConflict|UnreadableVersion|UnknownVersion|LaterVersion|BulkIncomplete|InvalidCopy)$/
/** Those of them that the catalogue must bear out. */
const UNTRUSTED = /^(?:IndexDeclarationDiffers|IndexNotReadable|SummaryDiffers)$/
/** The errors of writes that depend on a row. */
const CONDITION =
  /^(?:EntityAlreadyExists|ResourceNotFound|ConditionNotMet|MissingETag|UpdateConditionNotSatisfied)$/
const LOST = /died|unknown whether|transport failed|outcome/

const IDS = 5

/** Two of three histories begin with one of so many tables, which other histories have left. */
const BEGINNINGS = 12

const EXTENTS: readonly Extent[] = [
  'all',
  'messages',
  'messages',
  'indexes',
  'indexes',
  'eventual',
  'eventual',
  'summaries',
]

/** The step that merges some properties. */
const PART = 30

/** Milliseconds for which a process may use a state of an index. */
const LEASE = 10_000

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
  const extent = EXTENTS[random(EXTENTS.length)] as Extent
  // Their turns cost less.
  const turns = turnsOf(random) + (isWhole(extent) ? 0 : 1)
  // A run of few histories does not pay for many beginnings.
  const at = isWhole(extent) && random(3) > 0 ? random(seed <= 1_000 ? 3 : BEGINNINGS) : undefined
  const beginning =
    at === undefined
      ? undefined
      : await stage.beginning(`${extent} ${at}`, () => playBeginning(stage, at, extent))
  const history = new History(stage, random, extent)
  const wrong = await history.play(turns, beginning)
  return wrong.map((each) => `seed ${seed} in ${stage.kind}, ${each}`)
}

/** Plays the first history whose tables are right at its end. */
async function playBeginning(
  stage: HistoryStage,
  at: number,
  extent: Extent,
): Promise<Omit<Beginning, 'tables'>> {
  // Seeds of histories are positive.
  for (let seed = -1 - at; ; seed -= BEGINNINGS) {
    const history = new History(stage, below(seededRandom(seed)), extent)
    const wrong = await history.play(TURNS_BEFORE)
    if (wrong.length > 0) throw new Error(`beginning ${at} in ${stage.kind}: ${wrong.join('; ')}`)
    const { declarations, marks, made, isOver } = history
    if (!isOver) return { declarations, marks, made }
  }
}

function isWhole(extent: Extent): boolean {
  return extent === 'all' || extent === 'messages'
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

/** Returns an employee with each of its properties alone: a merge of one may touch no index of its program. */
function partsOf({ department, id, lastName = 'L0', email = '0@x', age = 2 }: Values) {
  return [{ lastName }, { email }, { age }].map((part) => ({ department, id, ...part }))
}

class History {
  readonly #stage: HistoryStage
  readonly #random: (below: number) => number
  readonly #checks: HistoryChecks
  readonly #programs: RunningProgram[] = []
  readonly #seen = new Map<RunningProgram, Values[]>()
  readonly #wrong: string[] = []
  readonly #extent: Extent
  #messages: HistoryMessages | undefined
  #plain!: Account
  #isCrowded = false
  #isLate = false
  #isOver = false

  constructor(stage: HistoryStage, random: (below: number) => number, extent: Extent) {
    this.#stage = stage
    this.#random = random
    this.#extent = extent
    const history = this
    this.#checks = new HistoryChecks({
      get plain() {
        return history.#plain
      },
      isSorted: stage.flavour === 'storage',
      random,
      loud: (place, work, program) => this.#loud(place, work, program),
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

  /** How many messages its programs made. */
  get made(): number {
    return this.#messages?.made ?? 0
  }

  /** The marks of the rows at its end. */
  get marks(): ReadonlyMap<string, number> {
    return this.#checks.marks
  }

  async play(turns: number, beginning?: Beginning): Promise<readonly string[]> {
    const stage = this.#stage
    await stage.clear(beginning)
    if (this.#extent === 'messages') {
      const [{ time }, random] = [stage, this.#random]
      const report = (wrong: string) => void this.#wrong.push(wrong)
      this.#messages = new HistoryMessages(
        { time, random, report },
        beginning?.marks ?? new Map(),
        beginning?.made ?? 0,
      )
      stage.messages = this.#messages
    }
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

  /** Programs build what they declare, of a table with a few rows, while another one has begun to write. */
  async #begin(): Promise<void> {
    const [program, other] = this.#programs as [RunningProgram, RunningProgram]
    const { Employee, indexes, eventual, summaries, calm } = program
    for (let rows = this.#random(3) === 0 ? 2 : 0; rows > 0; rows--) await this.#storePast()
    const first = { lastName: 'L7', email: '7@x', age: 3, ...this.#values() }
    const others = other.calm.table(other.Employee)
    const isWritten = !isWhole(this.#extent) || this.#random(2) === 0
    if (isWritten) {
      await this.#loud('the first write', () => others.insertOrReplace(first as never), other)
    }
    const count = this.#random(IDS)
    const batch = calm.table(Employee).batch()
    for (let id = 1; id <= count; id++) {
      batch.insertOrReplace({ ...this.#values(), department: 'A', id } as never)
    }
    await this.#loud('the beginning', async () => {
      const isBuilt = () => !isWhole(this.#extent) || this.#random(3) > 0
      if (isBuilt()) await indexes?.on(calm).ensure()
      if (isBuilt()) await eventual?.on(calm).ensure()
      if (this.#random(2) === 0) await eventual?.on(calm).sweep()
      if (isBuilt()) await summaries?.on(calm).ensure()
      if (count > 0) await batch.submit()
    })
    if (!isWritten) return
    // What matters to no keeper of this program may matter to the one that has built since.
    const next = { lastName: 'L8', email: '8@x', age: Number(first.age) > 1 ? 0 : 3 }
    for (const part of partsOf({ ...first, ...next })) {
      const marked = { ...part, ...this.#marked() } as never
      const merge = () => this.#onCondition(others.merge(marked, { etag: '*' }))
      await this.#loud('the next write', merge, other)
    }
    if (isWhole(this.#extent) || this.#random(2) === 0) return
    await this.#loud('the beginning', () => this.#checks.verify(program, 'the beginning'), program)
  }

  async #end(): Promise<void> {
    await this.#messages?.finish(this.#programs)
    await this.#checks.all(this.#programs, 'the end', {
      sleep: this.#stage.time.sleep,
      messages: this.#messages,
      values: () => this.#values(),
    })
  }

  /** One to three programs act at once; a write past the indexes is made alone. */
  async #turn(beginning?: Beginning): Promise<void> {
    const kind = this.#random(12)
    if (kind === 0) return this.#writePast()
    if (kind === 1) return this.#deploy(beginning, this.#random(this.#programs.length))
    const crowd = kind < 5 ? 2 + this.#random(2) : 1
    this.#setCrowded(crowd > 1)
    await Promise.all(Array.from({ length: crowd }, () => this.#actLoudly()))
    this.#setCrowded(false)
  }

  #setCrowded(isCrowded: boolean): void {
    this.#isCrowded = isCrowded
    if (this.#messages) this.#messages.isAlone = !isCrowded
  }

  async #actLoudly(): Promise<void> {
    const program = this.#program()
    const account = this.#random(5) === 0 ? this.#openMortal(this.#random(25)) : program.account
    const { messaging } = program
    if (messaging && this.#random(this.#isCrowded ? 2 : 3) === 0) {
      await this.#loud('a message', () => this.#actOnMessages(messaging, account))
    } else await this.#loud('a step', () => this.#act(program, account), program)
  }

  async #actOnMessages(
    { Department, managers, outboxes }: NonNullable<RunningProgram['messaging']>,
    account: Account,
  ): Promise<unknown> {
    const department = this.#department()
    if (this.#random(4) > 0) return this.#messages?.act(outboxes, account, department)
    const managerId = this.#random(IDS)
    const values = { department, ...(managerId > 0 && { managerId }) }
    const filled = await managers.on(account).fill(values as never)
    return account.table(Department).insertOrReplace(filled)
  }

  /**
   * Runs something that may fail, if the error says why.
   *
   * @param program - who runs it; then the error must be true
   */
  async #loud(
    place: string,
    work: () => Promise<unknown>,
    program?: RunningProgram,
  ): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      if (!LOUD.test(code) && !LOST.test(message)) {
        this.#wrong.push(`${place}: ${code} ${message}`)
      } else if (program && !this.#isCrowded && UNTRUSTED.test(code)) {
        if (await isRejectedRightly({ code, message }, program, this.#plain)) return false
        // Until its lease ends, a program may not know that what it reads has become readable.
        if (code !== 'IndexDeclarationDiffers' && !this.#isLate)
          return this.#lately(place, work, program)
        this.#wrong.push(`${place}: untrue, ${code} ${message}`)
      }
      return false
    }
  }

  /** Runs something again when all leases have ended. */
  async #lately(place: string, work: () => Promise<unknown>, program: RunningProgram) {
    this.#isLate = true
    await this.#stage.time.sleep(LEASE)
    const isDone = await this.#loud(place, work, program)
    this.#isLate = false
    return isDone
  }

  /** Runs the write of one row: a value that it is rejected for belongs to another row. */
  async #onValues(work: Promise<unknown>): Promise<unknown> {
    try {
      return await work
    } catch (error) {
      if (error instanceof UniqueValueError && !this.#isCrowded) {
        const { partitionKey, rowKey } = error.owner
        const stored = await this.#plain.table('staff').find([partitionKey, rowKey])
        if (stored === undefined) this.#wrong.push(`the owner does not exist: ${error.message}`)
      }
      throw error
    }
  }

  /** Runs a write that depends on what is stored. */
  async #onCondition(work: PromiseLike<unknown>): Promise<unknown> {
    try {
      return await work
    } catch (error) {
      if (CONDITION.test((error as { code?: string }).code ?? '')) return
      throw error
    }
  }

  #program(): RunningProgram {
    return this.#programs[this.#random(this.#programs.length)] as RunningProgram
  }

  /** Starts a program; in most cases one that made the tables or runs already, in another process. */
  #deploy(beginning?: Beginning, at: number = this.#programs.length): void {
    // Programs that declare different things mostly reject one another's writes: what they declare less of, they play more often.
    const known = [...(beginning?.declarations ?? []), ...this.declarations]
    const declaration =
      known.length > 0 && this.#random(4) > (isWhole(this.#extent) ? 0 : 2)
        ? (known[this.#random(known.length)] as number)
        : this.#random(DECLARATIONS)
    this.#programs[at] = this.#stage.start(this.#extent, declaration, this.#chance, this.#network)
  }

  #remember(program: RunningProgram, values: Values): void {
    const seen = this.#seen.get(program) ?? []
    this.#seen.set(program, [...seen, values])
  }

  readonly #network: Transport = async (request, limits) => {
    if (this.#isCrowded) await this.#stage.time.sleep(1 + this.#random(9))
    const fault = this.#random(120)
    if (fault < 3 && this.#messages) this.#messages.faults++
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
    const transport: Transport = async (request, limits) => {
      if (left-- > 0) return this.#network(request, limits)
      if (this.#messages) this.#messages.faults++
      throw new Error('The program has died.')
    }
    return this.#stage.open(transport, this.#chance, false)
  }

  #values(): Values {
    return {
      department: this.#department(),
      id: 1 + this.#random(IDS),
      ...(this.#random(4) > 0 && { lastName: `L${this.#random(3)}` }),
      ...(this.#random(4) > 0 && { email: `${this.#random(6)}@x` }),
      ...(this.#random(4) > 0 && { age: this.#random(4) }),
      ...this.#marked(),
    }
  }

  /** Returns the employee of some values with one new property. */
  #partOf({ department, id }: Values): never {
    const parts = partsOf({ ...this.#values(), department, id })
    return { ...parts[this.#random(parts.length)], ...this.#marked() } as never
  }

  #marked(): Pick<Values, 'mark'> {
    return this.#messages ? { mark: this.#messages.nextMark() } : {}
  }

  #department(): string {
    return DEPARTMENTS[this.#random(3) === 0 ? 1 : 0] as string
  }

  /** A client without the indexes writes a row. */
  async #storePast(): Promise<void> {
    const { department, id, lastName, email, age } = this.#values()
    const row = new DynamicEntity(department, `empid_00000${id}`, {})
    if (lastName !== undefined) row.set('lastName', lastName)
    if (email !== undefined) row.set('mail', email)
    if (age !== undefined) row.set('age', age)
    if (this.#messages) row.set('mark', this.#messages.markPast())
    await this.#plain.table('staff').insertOrReplace(row)
  }

  /** A client without the indexes writes a row; then a program makes everything right again. */
  async #writePast(): Promise<void> {
    await this.#storePast()
    const { indexes, eventual, summaries, messaging, calm } = this.#program()
    const program = this.#program()
    if (this.#random(2) === 0) {
      await this.#loud('after a raw write', () => this.#checks.verify(program, 'after a raw write'))
    }
    await this.#checks.part(program, 'after a raw write')
    const isMended = await this.#loud('after a raw write', async () => {
      await indexes?.on(calm).rebuild()
      await eventual?.on(calm).rebuild()
      await summaries?.on(calm).ensure()
      for (const each of DEPARTMENTS) {
        const found = (await summaries?.on(calm).rebuild({ department: each } as never)) ?? []
        // This program cannot read rows of the next version.
        if (found.some(({ kind }) => kind === 'unreadable')) this.#isOver = true
      }
      const copied = await messaging?.managers.on(calm).repair()
      if (copied && copied.unreadable.length > 0) this.#isOver = true
    })
    if (!isMended) this.#isOver = true
    // Until its lease ends, another program does not know that the index is no longer right.
    await this.#stage.time.sleep(20_000)
  }

  /** Chooses a step: what a program does not declare needs no upkeep. */
  #kindOf({ indexes, eventual, summaries, Employee }: RunningProgram): number {
    const kind = this.#random(33)
    // Where keepers are few, a merge shows which writes matter to them.
    if (!isWhole(this.#extent) && (kind === 10 || this.#random(3) === 0)) return PART
    const declared = kind < 5 ? indexes : kind < 9 ? eventual : kind === 9 ? summaries : Employee
    return declared === undefined ? PART : kind
  }

  async #act(program: RunningProgram, account: Account): Promise<unknown> {
    const { Employee, Invoice, Staff, indexes, billed, eventual, summaries } = program
    const employees = account.table(Employee)
    const values = this.#values()
    const { department, id } = this.#values()
    const target = { department, id }
    const other = { ...this.#values(), department } as Values
    switch (this.#kindOf(program)) {
      case 0:
      case 1:
        return indexes?.on(account).ensure({ takeOverAfter: 1_000 })
      case 2:
        return indexes?.on(account).rebuild()
      case 3:
        await indexes?.on(account).remove(this.#random(2) === 0 ? 'one' : 'two')
        return employees.insertOrReplace(values as never)
      case 4:
        return indexes?.on(account)[this.#random(2) === 0 ? 'verify' : 'repair']()
      case 5:
        return eventual?.on(account).ensure({ takeOverAfter: 1_000 })
      case 6:
        return eventual?.on(account)[this.#random(2) === 0 ? 'verify' : 'repair']()
      case 7:
        return this.#random(3) === 0
          ? eventual?.on(account).remove('far')
          : eventual?.on(account).rebuild()
      case 8:
        return eventual?.on(account).deliver({ table: 'staff', partitionKey: department })
      case 9:
        return this.#random(2) === 0
          ? summaries?.on(account).ensure()
          : summaries?.on(account).rebuild({ department } as never)
      case 10:
        return upgradeTable(employees)
      case 11:
        return billed.on(account).ensure({ takeOverAfter: 1_000 })
      case 12:
        return account
          .table(Invoice)
          .insertOrReplace({ department, id, email: `${id}@x`, ...this.#marked() })
      case 13:
        return account
          .table('staff', Staff)
          .batch()
          .insertOrReplace(Invoice, { department, id, ...this.#marked() } as never)
          .insertOrReplace(Employee, other as never)
          .submit()
      case 14:
      case 15:
        return this.#onCondition(employees.delete(target as never, { etag: '*' }))
      case 16:
        return this.#onCondition(
          employees
            .query()
            .where({ department, age: this.#random(4) } as never)
            .deleteAll(),
        )
      case 17:
      case 18:
        return employees
          .bulk()
          .insertOrReplace([
            values as never,
            { ...other, id: 1 + (other.id % IDS), ...this.#marked() } as never,
          ])
      case 19:
      case PART:
      case PART + 1:
        // The next write of a program that has just written depends on what it knows of the catalogue.
        if (this.#random(2) === 0) await this.#onValues(employees.insertOrReplace(values as never))
        return this.#onCondition(
          employees.merge(this.#random(4) === 0 ? (values as never) : this.#partOf(values), {
            etag: '*',
          }),
        )
      case 20:
        return this.#onCondition(employees.replace(values as never, { etag: '*' }))
      case 21:
        return employees.insertOrMerge(values as never)
      case 22:
        return this.#onCondition(
          employees.modify(
            target as never,
            (stored) =>
              void Object.assign(stored, {
                email: other.email,
                lastName: other.lastName,
                ...this.#marked(),
              }),
          ),
        )
      case 23: {
        const batch = employees.batch().insertOrReplace(other as never)
        const next = { department, id: 1 + (other.id % IDS) }
        return this.#random(2) === 0
          ? this.#onCondition(batch.delete(next as never, { etag: '*' }).submit())
          : batch
              .insertOrReplace({
                ...next,
                email: `${this.#random(6)}@x`,
                ...this.#marked(),
              } as never)
              .submit()
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
        Object.assign(known, { email, age, ...this.#marked() })
        return this.#onCondition(
          this.#random(2) === 0
            ? employees.merge(known as never)
            : employees.replace(known as never),
        )
      }
      case 26:
        return void (await this.#stage.time.sleep(this.#random(30_000)))
      case 27:
        return this.#onCondition(this.#onValues(employees.insert(values as never)))
      default:
        return this.#onValues(employees.insertOrReplace(values as never))
    }
  }
}
