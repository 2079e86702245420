import { localTableService, seededRandom } from '@rowkey/local'
import { Account, defineEntity, key, type TableQuery, union, upgradeTable } from '@rowkey/mapper'
import { DynamicEntity } from '@rowkey/odata'
import {
  declareEventualIndexes,
  declareIndexes,
  declareSummaries,
  type EventualIndexDefinition,
  type IndexDefinition,
  type SummaryDefinition,
} from '@rowkey/patterns'
import { type Flavour, noRetry, type Sleep, type Transport, tableService } from '@rowkey/rest'
import { z } from 'zod'
import { VirtualTime } from '../../rest/simulation/virtual-time.ts'
import type { RaceResult } from './index-races.ts'

/** How a history is played. */
export interface HistoryOptions {
  readonly seed: number
  /** How many turns it has; in each, one to three programs act at once. */
  readonly turns: number
  /** The folder of the service; it is in memory when absent. */
  readonly folder?: string | undefined
}

/** An employee, as a program sees it. */
interface Values {
  readonly department: string
  readonly id: number
  readonly lastName?: string | undefined
  readonly email?: string | undefined
  readonly age?: number | undefined
}

/** What an index may be declared as, and which entities have an entry then. */
interface Choice<Definition> {
  readonly definition: Definition
  readonly has: (values: Values) => boolean
}

const hasName = ({ lastName }: Values): boolean => lastName !== undefined
const hasEmail = ({ email }: Values): boolean => email !== undefined
const isOld = ({ age = 0 }: { readonly age?: number | undefined }): boolean => age > 1

/** Three of them share a beginning, and two depend on what a migration changes. */
const NEAR: readonly Choice<IndexDefinition<Values>>[] = [
  { definition: { rowKey: key`x_${'lastName'}_${'id:6'}` }, has: hasName },
  { definition: { rowKey: key`x_${'lastName'}_${'id:6'}`, project: ['age'] }, has: hasName },
  {
    definition: { rowKey: key`x_${'age:8'}_${'email'}_${'id:6'}`, sameSince: 1 },
    has: (e) => hasEmail(e) && e.age !== undefined,
  },
  {
    definition: { rowKey: key`y_${'email'}_${'id:6'}`, where: isOld, sameSince: 1 },
    has: (e) => hasEmail(e) && isOld(e),
  },
]

const UNIQUE: readonly Choice<IndexDefinition<Values>>[] = [
  { definition: { rowKey: key`z_${'email'}`, unique: true, sameSince: 1 }, has: hasEmail },
  {
    definition: { rowKey: key`z_${'email'}`, unique: true, where: isOld },
    has: (e) => hasEmail(e) && isOld(e),
  },
]

const FAR: readonly Choice<EventualIndexDefinition<Values>>[] = [
  {
    definition: {
      partitionKey: key`${'lastName'}`,
      rowKey: key`far_${'department'}_${'id:6'}`,
      table: 'lookups',
    },
    has: hasName,
  },
  {
    definition: {
      partitionKey: key`all`,
      rowKey: key`far_${'email'}_${'department'}_${'id:6'}`,
      project: ['age'],
      sameSince: 1,
    },
    has: hasEmail,
  },
  {
    definition: {
      partitionKey: key`${'email'}`,
      rowKey: key`far_${'department'}_${'id:6'}`,
      table: 'lookups',
      where: isOld,
    },
    has: (e) => hasEmail(e) && isOld(e),
  },
]

const SUMMARIES: readonly SummaryDefinition<Values>[] = [
  { rowKey: key`sum_all`, sums: ['age'] },

  { rowKey: key`sum_all`, sameSince: 1 },
  { rowKey: key`sum_all`, sums: ['age'], spread: 2, sameSince: 1 },
  { rowKey: key`sum_all`, sums: ['age'], where: isOld },
]

/** The errors that tell a program what is wrong, in place of a wrong result. */
const LOUD =
  /^(?:IndexDeclarationDiffers|IndexKeysShared|IndexNotReadable|IndexStateChanged|UniqueValueTaken|EntityAlreadyExists|ResourceNotFound|ConditionNotMet|MissingETag|KeyMismatch|UpdateConditionNotSatisfied|SummaryDiffers|PartitionChanging|KeptRowConflict|UnreadableVersion|UnknownVersion|LaterVersion|BulkIncomplete)$/
const LOST = /died|unknown whether|transport failed|outcome/

const shape = {
  department: z.string(),
  id: z.int(),
  lastName: z.string().optional(),
  email: z.string().optional(),
  age: z.int32().optional(),
}
const at = { name: 'staff', partitionKey: key`${'department'}` }
const employee = { ...at, rowKey: key`empid_${'id:6'}`, storeAs: { email: 'mail' } }

/** The employees of the first version; it may read those of the second. */
function defineFirst(readsNext: boolean) {
  const schema = z.object(shape)
  if (!readsNext) return defineEntity({ ...employee, schema, version: 1 })
  const First = defineEntity({
    ...employee,
    schema,
    version: 1,
    next: () => Second,
    migrateBack: (later: Values & { readonly team?: string | undefined }) => {
      const { team: _, ...values } = later
      return { ...values, ...(values.lastName && { lastName: values.lastName.slice(1) }) }
    },
  })
  const Second = defineSecond(First as never)
  return First
}

/** The employees of the second version, whose last names differ and which have a team. */
function defineSecond(previous: ReturnType<typeof defineFirst>) {
  return defineEntity({
    ...employee,
    schema: z.object({ ...shape, team: z.string().optional() }),
    version: 2,
    previous: previous as never,
    migrate: (earlier: object): Values => {
      const values = earlier as Values // of the first version
      return { ...values, ...(values.lastName && { lastName: `N${values.lastName}` }) }
    },
  })
}

const defineInvoice = () =>
  defineEntity({
    ...at,
    rowKey: key`inv_${'id:6'}`,
    schema: z.object({ department: z.string(), id: z.int(), email: z.string().optional() }),
  })

const DEPARTMENTS = ['A', 'B']
const IDS = 5

/**
 * Plays a random history: programs of two versions, with random declarations of the same indexes and sums, write, build, repair, remove, upgrade
 * and die, over a network with faults, and another client writes past them. Whenever a program may read by an index, the rows must be those of
 * the scan, and a sum that it may read must be that of its rows.
 */
export async function playHistory(options: HistoryOptions): Promise<RaceResult> {
  const history = new History(options)
  return { done: 1, wrong: await history.play() }
}

/** A program: a version of the model, what it declares, and its account on a network that may have faults. */
type Program = ReturnType<typeof openProgram>

function openProgram(
  account: Account,
  calm: Account,
  random: (below: number) => number,
  newId: () => string,
) {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item
  const first = defineFirst(random(2) === 0)
  const Employee = (random(2) === 0 ? first : defineSecond(first)) as ReturnType<typeof defineFirst>
  const Invoice = defineInvoice()
  const [near, only, far, sum] = [pick(NEAR), pick(UNIQUE), pick(FAR), pick(SUMMARIES)]
  // Another program may have the beginning of one index under the name of the other.
  const [one, two] = random(6) === 0 ? [only, near] : [near, only]
  const declared = { one: one.definition, two: two.definition }
  const indexes = declareIndexes(Employee, declared as never)
  const beginning = pick([
    key`w_${'email'}_${'id:6'}`,
    key`v_${'email'}_${'id:6'}`,
    key`x_${'email'}_${'id:6'}`,
  ])
  const billed = declareIndexes(Invoice, { one: { rowKey: beginning } } as never)
  const eventual = declareEventualIndexes(Employee, { far: far.definition } as never, {
    announce: async () => {},
    newId,
  })
  const summaries = declareSummaries(Employee, { all: sum } as never)
  const Staff = union(Employee, Invoice)
  return {
    Employee,
    Invoice,
    Staff,
    indexes,
    billed,
    eventual,
    summaries,
    choices: { one, two },
    far,
    sum,
    account,
    calm,
    seen: [] as Values[],
  }
}

class History {
  readonly #options: HistoryOptions
  readonly #random: (below: number) => number
  readonly #time: VirtualTime
  readonly #service: ReturnType<typeof localTableService>
  readonly #flavour: Flavour
  readonly #plain: Account
  readonly #programs: Program[] = []
  readonly #wrong: string[] = []
  #pending = 0
  #isCrowded = false
  #isOver = false
  #ids = 0

  constructor(options: HistoryOptions) {
    const random = seededRandom(options.seed)
    this.#options = options
    this.#random = (below) => Math.floor(random() * below)
    this.#flavour = this.#random(4) === 0 ? 'cosmos' : 'storage'
    this.#time = new VirtualTime(undefined, () => this.#pending > 0)
    this.#service = localTableService({
      flavour: this.#flavour,
      now: this.#time.now,
      requestLogSize: 1,
      data: options.folder,
    })
    this.#plain = this.#open(this.#serve, true)
  }

  async play(): Promise<readonly string[]> {
    try {
      await this.#time.run(this.#begin())
      for (let turn = 0; turn < this.#options.turns && !this.#isDone(); turn++) {
        await this.#time.run(this.#turn())
        if (!this.#isDone()) await this.#time.run(this.#compare(this.#program(), `turn ${turn}`))
      }
      await this.#time.runOut()
      if (!this.#isDone()) await this.#time.run(this.#end())
      return this.#wrong.map((each) => `seed ${this.#options.seed}, ${each}`)
    } finally {
      await this.#service.close()
    }
  }

  #isDone(): boolean {
    return this.#isOver || this.#wrong.length > 0
  }

  async #begin(): Promise<void> {
    await Promise.all([this.#plain.createTable('staff'), this.#plain.createTable('lookups')])
    for (let count = 2 + this.#random(2); count > 0; count--) this.#deploy()
  }

  /** One to three programs act at once; a write past the indexes is made alone. */
  async #turn(): Promise<void> {
    const kind = this.#random(12)
    if (kind === 0) return this.#writePast()
    if (kind === 1) return this.#deploy(this.#random(this.#programs.length))
    const crowd = kind < 5 ? 2 + this.#random(2) : 1
    this.#isCrowded = crowd > 1
    await Promise.all(Array.from({ length: crowd }, () => this.#actLoudly()))
    this.#isCrowded = false
  }

  async #actLoudly(): Promise<void> {
    const program = this.#program()
    const account =
      this.#random(5) === 0 ? this.#open(this.#mortal(this.#random(25)), false) : program.account
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

  #program(): Program {
    return this.#programs[this.#random(this.#programs.length)] as Program
  }

  #deploy(at = this.#programs.length): void {
    const hasRetries = this.#random(2) === 0
    const account = this.#open(this.#network, hasRetries)
    const newId = () => `id${String(++this.#ids).padStart(6, '0')}`
    this.#programs[at] = openProgram(account, this.#open(this.#serve, true), this.#random, newId)
  }

  #open(transport: Transport, hasRetries: boolean): Account {
    const { now } = this.#time
    const sleep: Sleep = (delay, signal) => this.#time.sleep(Math.ceil(delay), signal)
    return new Account(
      tableService({
        connectionString: this.#service.connectionString(),
        flavour: this.#flavour,
        transport,
        now,
        sleep,
        random: () => this.#random(1_000) / 1_000,
        ...(!hasRetries && { retry: noRetry }),
      }),
    )
  }

  readonly #serve: Transport = async (request, limits) => {
    this.#pending++
    try {
      return await this.#service.transport(request, limits)
    } finally {
      this.#pending--
    }
  }

  readonly #network: Transport = async (request, limits) => {
    if (this.#isCrowded) await this.#time.sleep(1 + this.#random(9))
    const fault = this.#random(120)
    if (fault === 0) throw new Error('lost request')
    if (fault === 1) {
      // It arrives when its program has given it up.
      this.#time.after(this.#random(4_000), () => void this.#serve(request, limits).catch(() => {}))
      throw new Error('late request')
    }
    const response = await this.#serve(request, limits)
    if (fault === 2) throw new Error('lost response')
    return response
  }

  #mortal(life: number): Transport {
    let left = life
    return (request, limits) =>
      left-- > 0
        ? this.#network(request, limits)
        : Promise.reject(new Error('The program has died.'))
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
    await this.#time.sleep(20_000)
  }

  async #act(program: Program, account: Account): Promise<unknown> {
    const { Employee, Invoice, Staff, indexes, billed, eventual, summaries } = program
    const employees = account.table(Employee)
    const values = this.#values() as never
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
          .insertOrReplace([values, { ...other, id: 1 + (other.id % IDS) } as never])
      case 19:
        return employees.merge(values, { etag: '*' })
      case 20:
        return employees.replace(values, { etag: '*' })
      case 21:
        return employees.insertOrMerge(values)
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
        if (found !== undefined) program.seen.push(found as never)
        return
      }
      case 25: {
        const known = program.seen.pop()
        if (known === undefined) return
        const { email = '5@x', age = 3 } = other
        Object.assign(known, { email, age })
        return this.#random(2) === 0
          ? employees.merge(known as never)
          : employees.replace(known as never)
      }
      case 26:
        return void (await this.#time.sleep(this.#random(30_000)))
      case 27:
        return employees.insert(values)
      default:
        return employees.insertOrReplace(values)
    }
  }

  /** Compares what a program reads by its indexes with what it reads without them. */
  async #compare(program: Program, place: string): Promise<void> {
    const department = this.#department()
    await this.#loud(place, async () => {
      const kind = this.#random(4)
      if (kind === 0) return this.#compareQuery(program, place)
      const all = await this.#scan(program, department)
      if (kind === 1) return this.#compareSum(program, { department, all }, place)
      const name = kind === 2 ? 'one' : 'two'
      return this.#compareIndex(program, name, { department, all }, place)
    })
  }

  async #scan({ Employee, calm }: Program, department: string): Promise<readonly Values[]> {
    const query = calm
      .table(Employee)
      .query()
      .where({ department } as never)
    return (await query.toArray()) as unknown as readonly Values[]
  }

  /** A query that may choose an index finds what its filter finds, in the same order. */
  async #compareQuery({ Employee, calm }: Program, place: string): Promise<void> {
    const { department, lastName, email, age } = this.#values()
    const where = {
      ...(lastName && { lastName: this.#random(2) ? lastName : `N${lastName}` }),
      ...(email && { email }),
      ...(age !== undefined && { age }),
    }
    const query = calm
      .table(Employee)
      .query()
      .where({ department, ...where } as never)
    const found = (await query.toArray()) as unknown as readonly Values[]
    const rows = await this.#plain
      .table('staff')
      .query()
      .where({ partitionKey: department })
      .toArray()
    const wanted = rows.filter(
      (row) =>
        row.rowKey.startsWith('empid_') &&
        row.get('lastName')?.value === (where.lastName ?? row.get('lastName')?.value) &&
        row.get('mail')?.value === (email ?? row.get('mail')?.value) &&
        row.get('age')?.value === (age ?? row.get('age')?.value),
    )
    const expected = wanted.map(({ rowKey }) => Number(rowKey.slice(-6))).join()
    const isSorted = this.#flavour === 'storage'
    if (isSorted ? ids(found) === expected : sorted(ids(found)) === sorted(expected)) return
    this.#wrong.push(
      `${place}: a query for ${JSON.stringify(where)} finds ${ids(found)}, and its filter ${expected}`,
    )
  }

  async #compareIndex(
    { indexes, calm, choices }: Program,
    name: 'one' | 'two',
    { department, all }: { readonly department: string; readonly all: readonly Values[] },
    place: string,
  ): Promise<void> {
    const { definition, has } = choices[name]
    const query = indexes.on(calm).query(name as never, { department } as never)
    const wanted = all
      .filter(has)
      .toSorted((a, b) => (definition.rowKey.print(a) < definition.rowKey.print(b) ? -1 : 1))
    const found = await this.#readAll(query as never)
    if (found !== ids(wanted)) {
      this.#wrong.push(
        `${place}: index ${name} of ${definition.rowKey} has ${found}, and the scan ${ids(wanted)}`,
      )
    }
    const count = this.#random(3) === 0 ? await query.count() : wanted.length
    if (count !== wanted.length) {
      this.#wrong.push(`${place}: index ${name} counts ${count}, and the scan ${wanted.length}`)
    }
    const emails = wanted.map(({ email }) => email)
    if (definition.unique && new Set(emails).size < emails.length) {
      this.#wrong.push(`${place}: two rows have one value: ${emails}`)
    }
  }

  /** Reads a query whole, or page by page. */
  async #readAll(query: TableQuery<Values>): Promise<string> {
    if (this.#random(3) > 0) return ids(await query.toArray())
    const found: Values[] = []
    let token: string | undefined
    do {
      const { items, next } = await query.page({ size: 2, token })
      found.push(...items)
      token = next
    } while (token !== undefined)
    return ids(found)
  }

  async #compareSum(
    { summaries, calm, sum }: Program,
    { department, all }: { readonly department: string; readonly all: readonly Values[] },
    place: string,
  ): Promise<void> {
    const { count, sums } = await summaries.on(calm).get('all' as never, { department } as never)
    const own = all.filter(sum.where ?? (() => true))
    const wanted = own.reduce((total, { age = 0 }) => total + age, 0)
    const isRight =
      count === own.length && (sum.sums === undefined || (sums as { age: number }).age === wanted)
    if (!isRight)
      this.#wrong.push(
        `${place}: a sum has ${count} and ${JSON.stringify(sums)}, and the rows ${own.length} and ${wanted}`,
      )
  }

  /** Compares everything, when all work is done. */
  async #end(): Promise<void> {
    await this.#time.sleep(700_000)
    for (const [at, program] of this.#programs.entries()) {
      const place = `the end, program ${at}`
      const department = this.#department()
      await this.#loud(place, async () => {
        const all = await this.#scan(program, department)
        for (const name of ['one', 'two'] as const) {
          await this.#loud(place, () =>
            this.#compareIndex(program, name, { department, all }, place),
          )
        }
        await this.#loud(place, () => this.#compareSum(program, { department, all }, place))
      })
      await this.#loud(place, () => this.#compareFar(program, place))
      await this.#loud(place, () => this.#verify(program, place))
    }
  }

  async #verify({ indexes, calm }: Program, place: string): Promise<void> {
    const indexed = indexes.on(calm)
    const readable: never[] = []
    for (const name of ['one', 'two'] as never[]) {
      if ((await indexed.state(name)) === 'readable') readable.push(name)
    }
    if (readable.length === 0) return
    const { findings } = await indexed.verify({ indexes: readable })
    // A program of the first version may be unable to read rows of the second one.
    if (findings.every(({ kind }) => kind === 'unreadable')) return
    this.#wrong.push(`${place}: ${JSON.stringify(findings)}`)
  }

  async #compareFar(program: Program, place: string): Promise<void> {
    const { eventual, calm, far } = program
    const all = [...(await this.#scan(program, 'A')), ...(await this.#scan(program, 'B'))]
    await eventual.on(calm).sweep()
    const left = await this.#plain.table('staff').query().allowTableScan().toArray()
    const messages = left.filter(({ rowKey }) => /^indexbox_.*[^.]$/.test(rowKey))
    if (messages.length > 0) this.#wrong.push(`${place}: ${messages.length} messages are left`)
    const query = eventual
      .on(calm)
      .query('far' as never)
      .allowTableScan()
    const found = (await query.toArray()) as unknown as readonly Values[]
    const wanted = all.filter(far.has)
    if (keys(found) !== keys(wanted)) {
      this.#wrong.push(`${place}: index far has ${keys(found)}, and the scan ${keys(wanted)}`)
    }
  }
}

function ids(values: readonly Values[]): string {
  return values.map(({ id }) => id).join()
}

function sorted(list: string): string {
  return list.split(',').toSorted().join()
}

function keys(values: readonly Values[]): string {
  return values
    .map(({ department, id }) => department + id)
    .toSorted()
    .join()
}
