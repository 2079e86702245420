import { localTableService, seededRandom } from '@rowkey/local'
import { Account, defineEntity, key } from '@rowkey/mapper'
import { declareIndexes, declareSummaries, tableQueue, worker } from '@rowkey/patterns'
import { type Transport, tableService } from '@rowkey/rest'
import { z } from 'zod'
import { VirtualTime } from '../../rest/simulation/virtual-time.ts'

/** Where a history is played. */
export type StageKind = 'memory' | 'cosmos' | 'folder'

/** Everything that a program may declare. Two have one name and another declaration. */
const INDEXES = {
  byName: { rowKey: key`${'name'}_${'id:2'}` },
  changedName: { rowKey: key`${'name'}_${'id:2'}`, project: ['age'] },
  byAge: { rowKey: key`${'age:2'}_${'id:2'}` },
  mail: { rowKey: key`${'mail'}`, unique: true },
  far: { partitionKey: key`n_${'name'}`, rowKey: key`${'team'}_${'id:2'}` },
} as const
const SUMS = {
  all: { rowKey: key`all`, sums: ['age'] },
  changedAll: { rowKey: key`all`, sums: ['age'], revision: 2 },
  perName: { rowKey: key`${'name'}` },
} as const
const NAMES = { changedName: 'byName', changedAll: 'all' } as const
type Declarable = keyof typeof INDEXES | keyof typeof SUMS

const TEAM = { team: 'a' }
const VALUES = ['x', 'y', 'z']
const MOST_ROWS = 6
/** The default lease. */
const LEASE = 10_000

const definePerson = () =>
  defineEntity({
    name: 'people',
    partitionKey: key`${'team'}`,
    rowKey: key`p${'id:2'}`,
    schema: z.object({
      team: z.string(),
      id: z.int(),
      name: z.string(),
      age: z.int(),
      mail: z.string().optional(),
    }),
  })

/** One program: what it declares, and its account. */
interface Program {
  readonly number: number
  readonly declares: readonly Declarable[]
  readonly account: Account
  readonly people: ReturnType<typeof peopleOf>
  readonly indexes: ReturnType<typeof declareOn>['indexes']
  readonly sums: ReturnType<typeof declareOn>['sums']
  readonly jobs: ReturnType<typeof declareOn>['jobs']
}

const peopleOf = (account: Account, Person: ReturnType<typeof definePerson>) =>
  account.table(Person)

/** The name under which a program declares something. */
const nameOf = (each: Declarable): string => (each in NAMES ? Reflect.get(NAMES, each) : each)

function declareOn(account: Account, declares: readonly Declarable[]) {
  const Person = definePerson()
  const chosen = (all: object) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, one]) =>
        declares.includes(name as Declarable) ? [[nameOf(name as Declarable), one]] : [],
      ),
    )
  const [indexes, sums] = [chosen(INDEXES), chosen(SUMS)]
  const queueOf = (name: string) => tableQueue(account, name, { table: 'queues' })
  const work = worker({ queue: () => queueOf('jobs'), deadLetters: () => queueOf('dead') })
  return {
    people: peopleOf(account, Person),
    jobs: work.on(account),
    indexes:
      Object.keys(indexes).length > 0
        ? declareIndexes(Person, indexes as never, { worker: work }).on(account)
        : undefined,
    sums:
      Object.keys(sums).length > 0
        ? declareSummaries(Person, sums as never).on(account)
        : undefined,
  }
}

/**
 * Plays one history: programs with random declarations, and some that declare nothing, write one partition, build, drop and repair, and die.
 * Whenever nothing is pending, each program must read the rows of the scan and their sums, or get an error that says why not.
 *
 * A program that declares nothing is ended before a build that succeeds: the page of indexes says so.
 *
 * @returns what was wrong, in words
 */
export async function playHistory(
  kind: StageKind,
  seed: number,
  folder?: string,
  onEvent: (event: string) => void = () => {},
): Promise<readonly string[]> {
  const history = new History(kind, seed, folder)
  const wrong = await history.play()
  history.log.forEach(onEvent)
  return wrong
}

class History {
  readonly #seed: number
  readonly #random: () => number
  readonly #time = new VirtualTime(undefined, () => this.#pending > 0)
  readonly #local: ReturnType<typeof localTableService>
  readonly #kind: StageKind
  readonly #wrong: string[] = []
  readonly log: string[] = []
  readonly #plain: Account
  #pending = 0
  #ids = 0
  /** Whether programs may declare nothing: until something is readable. */
  #mayIgnore = false
  #programs: Program[] = []
  #started = 0

  constructor(kind: StageKind, seed: number, folder?: string) {
    this.#kind = kind
    this.#seed = seed
    this.#random = seededRandom(seed)
    this.#local = localTableService({
      flavour: kind === 'cosmos' ? 'cosmos' : 'storage',
      now: () => this.#time.now(),
      newId: () => `request-${++this.#ids}`,
      requestLogSize: 0,
      data: folder,
    })
    this.#plain = this.#open(this.#send)
  }

  async play(): Promise<readonly string[]> {
    await this.#time.run(this.#plain.createTable('people'))
    await this.#time.run(this.#plain.createTable('queues'))
    // Rows of a program from before, in most histories. One stays, because a table without rows needs no build.
    this.#mayIgnore = this.#below(4) > 0
    if (this.#mayIgnore) {
      const { people } = declareOn(this.#plain, [])
      await this.#time.run(people.insert({ ...this.#person(), id: 99, mail: undefined }))
      await this.#time.run(people.insertOrReplace(this.#person()))
    }
    for (let count = 2 + this.#below(2); count > 0; count--) this.#start()
    for (let turns = 4 + this.#below(6); turns > 0 && this.#wrong.length === 0; turns--) {
      await this.#time.run(this.#turn())
      await this.#time.run(this.#check())
    }
    await this.#local.close()
    if (this.#wrong.length === 0) return []
    return [`seed ${this.#seed} (${this.#kind}): ${this.#wrong.join('; ')}\n${this.log.join('\n')}`]
  }

  async #turn(): Promise<void> {
    const program = this.#one()
    switch (this.#below(10)) {
      case 0:
        this.#end(program)
        return this.#start()
      case 1:
        return this.#build(program)
      case 2:
        return this.#drop(program)
      case 3:
        return this.#beside(program, 'repair', async () => {
          await program.indexes?.repair()
          await program.sums?.repair()
        })
      case 4:
        return this.#beside(program, 'work', () => program.jobs.runOnce())
      case 5:
        this.log.push('time passes')
        return this.#time.sleep(this.#below(3) * LEASE)
      default:
        await Promise.all(
          Array.from({ length: 1 + this.#below(4) }, () => this.#write(this.#one())),
        )
    }
  }

  /** Builds while other programs write. Those that declare nothing stop before its last look, or the build finds their rows. */
  async #build(program: Program): Promise<void> {
    const account = this.#below(4) === 0 ? this.#dying(3 + this.#below(30)) : program.account
    const { indexes, sums } = declareOn(account, program.declares)
    const writers = this.#programs.filter((each) => each !== program)
    const isKnown = (each: Program) => each.declares.length > 0
    const late = Array.from({ length: this.#below(4) }, async () => {
      const writer = writers[this.#below(writers.length)]
      if (writer === undefined) return
      // The last look begins two leases after the first.
      await this.#time.sleep(this.#below(isKnown(writer) ? 3 * LEASE : 1.5 * LEASE))
      await this.#write(writer)
    })
    const built = [indexes, sums].map(async (table) => {
      if (table === undefined) return false
      try {
        await table.build()
        return true
      } catch (error) {
        this.log.push(`build of ${program.number}: ${Object(error).code}`)
        // Values that rows share leave one index unreadable, and not the others.
        const names = table.names.map((name) => table.state(name).catch(() => undefined))
        return (await Promise.all(names)).includes('readable')
      }
    })
    this.log.push(`build of ${program.number}`)
    const ends = await Promise.all(built)
    await Promise.all(late)
    if (ends.includes(true)) {
      this.#mayIgnore = false
      for (const each of this.#programs) if (!isKnown(each)) this.#end(each)
      if (this.#programs.length === 0) this.#start()
    }
  }

  async #drop(program: Program): Promise<void> {
    const [each] = program.declares.filter(() => this.#below(2) === 0)
    if (each === undefined) return
    const table = each in INDEXES ? program.indexes : program.sums
    await this.#beside(program, `drop of ${each}`, async () => table?.drop(nameOf(each)))
  }

  /** Does some work of a program while others write. */
  async #beside(program: Program, what: string, work: () => Promise<unknown>): Promise<void> {
    this.log.push(`${what} of ${program.number}`)
    const writes = Array.from({ length: this.#below(3) }, async () => {
      await this.#time.sleep(this.#below(5 * LEASE))
      const known = this.#programs.filter(({ declares }) => declares.length > 0)
      const writer = known[this.#below(known.length)]
      if (writer !== undefined) await this.#write(writer)
    })
    await Promise.all([...writes, work().catch((error) => this.#expected(what, error))])
  }

  async #write(program: Program): Promise<void> {
    const one = this.#person()
    const { people } = program
    const acts = [
      () => people.insertOrReplace(one),
      () => people.insertOrMerge(one),
      () => people.merge(one, { etag: '*' }),
      () => people.deleteIfExists(one, { etag: '*' }),
      () => people.modify(one, (row) => void Object.assign(row, one)),
      () =>
        people
          .batch()
          .insertOrReplace(one)
          .insertOrReplace({ ...one, id: one.id + 1, mail: undefined })
          .submit(),
    ] as const
    const end = await acts[this.#below(acts.length)]?.().then(
      () => 'stored',
      (error: unknown) => String(Object(error).code ?? error),
    )
    this.log.push(`write of ${program.number}: ${JSON.stringify(one)}: ${end}`)
  }

  /** Compares what each program reads with the rows. */
  async #check(): Promise<void> {
    const scanned = await this.#plain.table('people').query().where({ partitionKey: 'a' }).toArray()
    const rows = scanned
      .filter(({ rowKey }) => rowKey.startsWith('p'))
      .map((row) => ({
        id: Number(row.rowKey.slice(1)),
        name: String(row.get('name')?.value),
        age: Number(row.get('age')?.value),
      }))
    for (const program of this.#programs) {
      const isFar = program.declares.includes('far') && (await this.#follow(program))
      for (const name of VALUES.slice(1)) {
        const ids = rows.filter((row) => row.name === name).map(({ id }) => id)
        const found = await program.people
          .query()
          .where({ ...TEAM, name })
          .toArray()
        this.#same(`a query of ${program.number}`, found.map(({ id }) => id).sort(), ids.sort())
        if (isFar) {
          await this.#readable(`the index far of ${program.number}`, ids, async () => {
            const all = await program.indexes?.query('far' as never, { name } as never).toArray()
            return (all as readonly { id: number }[] | undefined)?.map(({ id }) => id).sort()
          })
        }
        if (!program.declares.some((each) => nameOf(each) === 'byName')) continue
        await this.#readable(`the index byName of ${program.number}`, ids, async () => {
          const query = program.indexes?.query('byName' as never, { ...TEAM, name } as never)
          const all = (await query?.toArray()) as readonly { id: number }[] | undefined
          return all?.map(({ id }) => id).sort()
        })
      }
      if (!program.declares.some((each) => nameOf(each) === 'all')) continue
      const total = { count: rows.length, age: rows.reduce((sum, { age }) => sum + age, 0) }
      await this.#readable(`the summary all of ${program.number}`, total, async () => {
        const { count, sums } = (await program.sums?.get('all' as never, TEAM as never)) ?? {}
        return { count, age: Reflect.get(Object(sums), 'age') }
      })
    }
  }

  /** Does the work that waits; another declaration may be readable that only other programs may follow. */
  async #follow({ number, indexes }: Program): Promise<boolean> {
    try {
      await indexes?.drain()
      return true
    } catch (error) {
      if (Object(error).code !== 'UndeclaredDefinition')
        this.#wrong.push(`drain of ${number}: ${error}`)
      return false
    }
  }

  async #readable(what: string, expected: unknown, read: () => Promise<unknown>): Promise<void> {
    try {
      this.#same(what, await read(), expected)
    } catch (error) {
      if (Object(error).code !== 'NotReadable') this.#wrong.push(`${what}: ${error}`)
    }
  }

  #same(what: string, found: unknown, expected: unknown): void {
    if (JSON.stringify(found) === JSON.stringify(expected)) return
    this.#wrong.push(
      `${what} found ${JSON.stringify(found)} in place of ${JSON.stringify(expected)}`,
    )
  }

  #expected(what: string, error: unknown): void {
    const { code } = Object(error)
    this.log.push(`${what}: ${code}`)
    if (!['NotReadable', 'DefinitionChanged', 'PartitionChanging'].includes(code)) {
      this.#wrong.push(`${what}: ${error}`)
    }
  }

  #person() {
    const mail = this.#below(3) > 0 ? `${VALUES[this.#below(3)]}@x` : undefined
    return {
      ...TEAM,
      id: 1 + this.#below(MOST_ROWS),
      name: VALUES[this.#below(VALUES.length)] ?? 'x',
      age: this.#below(9),
      ...(mail !== undefined && { mail }),
    }
  }

  #start(): void {
    const all = [...Object.keys(INDEXES), ...Object.keys(SUMS)] as Declarable[]
    const isIgnorant = this.#mayIgnore && this.#below(3) === 0
    const some = isIgnorant ? [] : all.filter(() => this.#below(2) === 0)
    // One name has one declaration in a program.
    const own = some.filter(
      (each, at) => some.findIndex((other) => nameOf(other) === nameOf(each)) === at,
    )
    const declares: readonly Declarable[] = own.length > 0 || isIgnorant ? own : ['byName']
    const account = this.#open(this.#slow)
    const number = ++this.#started
    this.#programs.push({ number, declares, account, ...declareOn(account, declares) })
    this.log.push(`program ${number} declares ${declares.join(', ') || 'nothing'}`)
  }

  #end(program: Program): void {
    this.log.push(`program ${program.number} ends`)
    this.#programs = this.#programs.filter((each) => each !== program)
  }

  #one(): Program {
    const program = this.#programs[this.#below(this.#programs.length)]
    if (program !== undefined) return program
    this.#start()
    return this.#one()
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit)
  }

  #open(transport: Transport): Account {
    const { now, sleep } = this.#time
    return new Account(
      tableService({
        connectionString: this.#local.connectionString(),
        flavour: this.#kind === 'cosmos' ? 'cosmos' : 'storage',
        // Accounts with one transport would share what they know.
        transport: (request, limits) => transport(request, limits),
        now,
        sleep: (delay, signal) => sleep(Math.ceil(delay), signal),
        random: this.#random,
        newId: () => `id${String(++this.#ids).padStart(12, '0')}`,
      }),
    )
  }

  /** An account whose program dies after some requests. */
  #dying(requests: number): Account {
    let left = requests
    return this.#open((request, limits) =>
      left-- > 0 ? this.#slow(request, limits) : Promise.reject(new Error('The program has died.')),
    )
  }

  /** A network on which requests take time, so that they overlap. */
  readonly #slow: Transport = async (request, limits) => {
    await this.#time.sleep(this.#below(40))
    const response = await this.#send(request, limits)
    await this.#time.sleep(this.#below(40))
    return response
  }

  /** Sends a request to the service. Time stands still until it responds. */
  readonly #send: Transport = async (request, limits) => {
    this.#pending++
    try {
      return await this.#local.transport(request, limits)
    } finally {
      this.#pending--
    }
  }
}
