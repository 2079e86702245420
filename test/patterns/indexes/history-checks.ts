import type { Account, TableQuery } from '@rowkey/mapper'
import type { DynamicEntity } from '@rowkey/odata'
import type { EventualIndexDefinition, IndexDefinition } from '@rowkey/patterns'
import { ge } from '@rowkey/query'
import type { Sleep } from '@rowkey/rest'
import { allRows, strayEntries } from './history-catalogue.ts'
import { HistoryMessages } from './history-messages.ts'
import type { Choice, Program, Values } from './history-programs.ts'
import type { RunningProgram } from './history-stage.ts'

export const DEPARTMENTS: readonly string[] = ['A', 'B']

/** What the checks of a history share with it. */
export interface CheckedHistory {
  /** A client without any index. */
  readonly plain: Account
  /** Whether a query finds rows in the order of their keys. */
  readonly isSorted: boolean
  random(below: number): number
  /** Runs something that may fail, if the error says why and is true. */
  loud(place: string, work: () => Promise<unknown>, program: RunningProgram): Promise<boolean>
  report(wrong: string): void
}

/** What the checks at the end of a history need. */
export interface EndOfHistory {
  readonly sleep: Sleep
  readonly messages: HistoryMessages | undefined
  /** Returns values that rows may have. */
  values(): Values
}

/** Compares what programs read by their indexes and sums with the rows, which it reads as they are stored. */
export class HistoryChecks {
  readonly #history: CheckedHistory
  /** The marks of the rows at the end. */
  marks: ReadonlyMap<string, number> = new Map()

  constructor(history: CheckedHistory) {
    this.#history = history
  }

  /** Compares one thing that a program reads. */
  async one(program: RunningProgram, department: string, values: Values, place: string) {
    const { random, loud } = this.#history
    const kind = random(5)
    const name = random(2) === 0 ? 'one' : 'two'
    const check = async () => {
      if (kind === 0) return this.#query(program, values, place)
      const own = readAll(program, await this.#rows(department))
      if (own === undefined) return
      if (kind === 1) return this.#sum(program, department, own, place)
      if (kind === 2) return this.#count(program, name, department, own, place)
      await this.#index(program, name, department, own, place)
    }
    await loud(place, kind === 4 ? () => this.part(program, place) : check, program)
  }

  /** Whatever entries there are, a read by an index finds no row that has left it, and none twice. */
  async part(program: RunningProgram, place: string): Promise<void> {
    const { calm, choices, far, indexes, eventual } = program
    const compare = async (name: string, has: Choice<unknown>['has'], isFar: boolean) => {
      // It may be compared again later, when a late request has arrived.
      const own = readAll(program, await this.#allRows())
      if (own === undefined) return
      const pattern = (isFar ? eventual : indexes)?.on(calm)
      const query = pattern?.query(name as never) as TableQuery<Values> | undefined
      const found = (await query?.allowTableScan().toArray())?.map((each) => keys([each])) ?? []
      const all = own.filter(has).map((each) => keys([each]))
      if (found.every((each) => all.includes(each)) && new Set(found).size === found.length) return
      this.#history.report(`${place}: index ${name} finds ${found}, and the scan ${all}`)
    }
    const indexed = [
      ['one', choices.one.has],
      ['two', choices.two.has],
      ['far', far.has],
    ] as const
    for (const [name, has] of indexed) {
      await this.#history.loud(place, () => compare(name, has, name === 'far'), program)
    }
  }

  /** Compares the entries of all programs when all work is done, and some of what they read. */
  async all(
    programs: readonly RunningProgram[],
    place: string,
    { sleep, messages, values }: EndOfHistory,
  ): Promise<void> {
    const { random, loud } = this.#history
    // It costs the most requests, and finds what the others find.
    const verified = random(2 * programs.length)
    let stored = await this.#allRows()
    if (messages !== undefined) {
      this.marks = HistoryMessages.marksIn(stored)
      messages.compare(stored, place)
      this.#copies(stored, place)
    }
    // A program that has died may have begun to deliver them. Then others wait until its turn has ended.
    if (hasMessages(stored)) await sleep(700_000)
    for (const [at, program] of programs.entries()) {
      const where = `${place}, program ${at}`
      const own = readAll(program, stored)
      const department = DEPARTMENTS[random(2)] as string
      const check = (work: () => Promise<unknown>) => loud(where, work, program)
      if (at === verified) await check(() => this.verify(program, where))
      // This program cannot read rows of the next version.
      if (own === undefined) continue
      const read = random(2) === 0 ? 'one' : 'two'
      for (const name of program.indexes ? (['one', 'two'] as const) : []) {
        await check(async () => {
          if (name === read) await this.#index(program, name, department, own, where)
          else await this.#count(program, name, department, own, where)
          this.#entries(name, program.choices[name], own, stored, where)
        })
      }
      await check(() => this.#sum(program, department, own, where))
      if (random(2) === 0) await check(() => this.#query(program, values(), where))
      await check(async () => {
        if (hasMessages(stored)) {
          await program.eventual?.on(program.calm).sweep()
          stored = await this.#allRows()
          if (hasMessages(stored)) this.#history.report(`${where}: messages are left`)
        }
        if (random(3) > 0) await this.#far(program, own, stored, where)
      })
    }
    const lookups = await allRows(this.#history.plain, 'lookups')
    const strays = [...strayEntries('staff', stored), ...strayEntries('lookups', lookups)]
    if (strays.length > 0) this.#history.report(`${place}: no index has the entries ${strays}`)
  }

  /** A department has the address of its manager. */
  #copies(stored: readonly DynamicEntity[], place: string): void {
    for (const row of stored.filter(({ rowKey }) => rowKey === 'dept')) {
      const id = row.get('managerId')?.value
      const manager = stored.find(
        ({ partitionKey, rowKey }) =>
          partitionKey === row.partitionKey && rowKey === `empid_00000${id}`,
      )
      const [is, wanted] = [row.get('managerEmail')?.value, manager?.get('mail')?.value]
      if (is === wanted) continue
      this.#history.report(`${place}: department ${row.partitionKey} has ${is}, not ${wanted}`)
    }
  }

  async #rows(department: string): Promise<readonly DynamicEntity[]> {
    return this.#history.plain.table('staff').query().where({ partitionKey: department }).toArray()
  }

  async #allRows(): Promise<readonly DynamicEntity[]> {
    return allRows(this.#history.plain, 'staff')
  }

  /** A query that may choose an index finds what its filter finds, in the same order. */
  async #query(program: RunningProgram, values: Values, place: string): Promise<void> {
    const { random, isSorted, report } = this.#history
    const { department } = values
    const rows = (await this.#rows(department)).filter(({ rowKey }) => rowKey.startsWith('empid_'))
    // A query for what a row has finds something.
    const like = random(4) > 0 ? rows[random(rows.length)] : undefined
    const { lastName, email, age = 2 } = like === undefined ? values : storedIn(like)
    const kind = random(6)
    const where = {
      ...(lastName !== undefined && kind !== 1 && random(3) > 0 && { lastName }),
      ...(email !== undefined && random(3) > 0 && { email }),
      ...(kind > 3 && { age: kind === 4 ? ge(age) : age }),
    }
    const isEither = kind === 0
    const query = program.calm
      .table(program.Employee)
      .query()
      .where({ department } as never)
    const either = { age, email: email ?? '0@x' }
    const narrowed = isEither
      ? query.where((c) => c.age.eq(either.age).or(c.email.eq(either.email)))
      : query.where({ department, ...where } as never)
    const found = await this.#readAll(narrowed as never)
    const isFound = (row: DynamicEntity): boolean => {
      const own = storedIn(row)
      if (isEither) return own.age === either.age || own.email === either.email
      const hasAge = kind < 4 || (kind === 4 ? Number(own.age) >= age : own.age === age)
      return (
        own.lastName === (where.lastName ?? own.lastName) &&
        own.email === (where.email ?? own.email) &&
        hasAge
      )
    }
    const expected = rows
      .filter(isFound)
      .map(({ rowKey }) => Number(rowKey.slice(-6)))
      .join()
    if (isSorted ? found === expected : sorted(found) === sorted(expected)) return
    const asked = isEither ? { either } : { ...where, kind, age }
    report(
      `${place}: a query for ${JSON.stringify(asked)} finds ${found}, and its filter ${expected}`,
    )
  }

  /** An index has the rows of the scan, in its order. */
  async #index(
    { indexes, calm, choices }: RunningProgram,
    name: 'one' | 'two',
    department: string,
    own: readonly Values[],
    place: string,
  ): Promise<void> {
    const { random, report } = this.#history
    const { definition, has } = choices[name]
    const query = indexes?.on(calm).query(name as never, { department } as never)
    if (query === undefined) return
    const wanted = own
      .filter((each) => each.department === department && has(each))
      .toSorted((a, b) => (definition.rowKey.print(a) < definition.rowKey.print(b) ? -1 : 1))
    const isPart = random(4) === 0
    const expected = ids(isPart ? wanted.slice(0, 2) : wanted)
    const found = isPart
      ? ids((await query.take(2).toArray()) as never)
      : await this.#readAll(query as never)
    if (found !== expected) {
      report(
        `${place}: ${isPart ? 'the first two of ' : ''}index ${name} of ${definition.rowKey} are ${found}, and of the scan ${expected}`,
      )
    }
    const emails = wanted.map(({ email }) => email)
    if (definition.unique && new Set(emails).size < emails.length) {
      report(`${place}: two rows have one value: ${emails}`)
    }
  }

  async #count(
    { indexes, calm, choices }: RunningProgram,
    name: 'one' | 'two',
    department: string,
    own: readonly Values[],
    place: string,
  ): Promise<void> {
    const query = indexes?.on(calm).query(name as never, { department } as never)
    if (query === undefined) return
    const count = await query.count()
    const wanted = own.filter((each) => each.department === department && choices[name].has(each))
    if (count === wanted.length) return
    this.#history.report(`${place}: index ${name} counts ${count}, and the scan ${wanted.length}`)
  }

  /** The entries of an index that a program may read are those of its rows, in all partitions. */
  #entries(
    name: string,
    choice: AnyChoice,
    own: readonly Values[],
    stored: readonly DynamicEntity[],
    place: string,
  ): void {
    const { wanted, entries } = entriesOf(choice, own, stored)
    if (entries === wanted) return
    this.#history.report(
      `${place}: index ${name} has the entries ${entries}, and its rows need ${wanted}`,
    )
  }

  /** Reads a query whole, or page by page. */
  async #readAll(query: TableQuery<Values>): Promise<string> {
    const size = this.#history.random(4)
    if (size > 2) return ids(await query.toArray())
    const found: Values[] = []
    let token: string | undefined
    do {
      const { items, next } = await query.page({ size: size || 1, token })
      found.push(...items)
      token = next
    } while (token !== undefined)
    return ids(found)
  }

  async #sum(
    { summaries, calm, sum }: RunningProgram,
    department: string,
    own: readonly Values[],
    place: string,
  ): Promise<void> {
    if (summaries === undefined) return
    const { count, sums } = await summaries.on(calm).get('all' as never, { department } as never)
    const summed = own
      .filter((each) => each.department === department)
      .filter(sum.where ?? (() => true))
    const wanted = summed.reduce((total, { age = 0 }) => total + age, 0)
    const isRight =
      count === summed.length &&
      (sum.sums === undefined || (sums as { age: number }).age === wanted)
    if (isRight) return
    this.#history.report(
      `${place}: a sum has ${count} and ${JSON.stringify(sums)}, and the rows ${summed.length} and ${wanted}`,
    )
  }

  async #far(
    { eventual, calm, far }: RunningProgram,
    own: readonly Values[],
    stored: readonly DynamicEntity[],
    place: string,
  ): Promise<void> {
    const query = eventual?.on(calm).query('far' as never)
    if (query === undefined) return
    const found = (await query.allowTableScan().toArray()) as unknown as readonly Values[]
    const wanted = own.filter(far.has)
    if (keys(found) !== keys(wanted)) {
      this.#history.report(`${place}: index far has ${keys(found)}, and the scan ${keys(wanted)}`)
    }
    const { table } = far.definition
    const entries = table === undefined ? stored : await allRows(this.#history.plain, table)
    this.#entries('far', far, own, entries, place)
  }

  /** Finds what another client has made wrong, and nothing else. */
  async verify(program: RunningProgram, place: string): Promise<void> {
    const { calm, choices } = program
    const indexed = program.indexes?.on(calm)
    if (indexed === undefined) return
    const names = ['one', 'two'] as const
    const states = await Promise.all(names.map((name) => indexed.state(name as never)))
    const readable = names.filter((_, at) => states[at] === 'readable')
    if (readable.length === 0) return
    const { findings } = await indexed.verify({ indexes: readable as never[] })
    const found = findings.filter(({ kind }) => kind !== 'unreadable')
    const stored = await this.#allRows()
    const own = readAll(program, stored)
    // A program of the first version may be unable to read rows of the second one.
    if (own === undefined) return
    const wrong = readable.filter((name) => {
      const { wanted, entries } = entriesOf(choices[name], own, stored)
      return wanted !== entries
    })
    const named = new Set(found.map(({ index }) => index))
    if (wrong.every((name) => named.has(name)) && named.size === wrong.length) return
    this.#history.report(`${place}: ${wrong} differ, and verify finds ${JSON.stringify(findings)}`)
  }
}

type AnyChoice = Choice<IndexDefinition<Values> & Partial<EventualIndexDefinition<Values>>>

/** Returns the entries that an index needs, and those that are stored, in all partitions. */
function entriesOf(
  { definition, has }: AnyChoice,
  own: readonly Values[],
  stored: readonly DynamicEntity[],
): { readonly wanted: string; readonly entries: string } {
  const beginning = definition.rowKey.prefix({})
  const isProjected = definition.project !== undefined
  const wanted = own.filter(has).map((each) => {
    const age = isProjected ? each.age : undefined
    const partitionKey = definition.partitionKey?.print(each) ?? each.department
    return `${partitionKey} ${definition.rowKey.print(each)} ${each.id} ${age}`
  })
  const entries = stored
    .filter(({ rowKey }) => rowKey.startsWith(beginning))
    .map((row) => {
      const owner = String(row.get('IndexedRowKey')?.value)
      return `${row.partitionKey} ${row.rowKey} ${Number(owner.slice(-6))} ${row.get('age')?.value}`
    })
  return { wanted: wanted.toSorted().join(), entries: entries.toSorted().join() }
}

/** Returns the employees as a program reads them; `undefined` when it cannot read them all. */
function readAll({ read }: Program, rows: readonly DynamicEntity[]): readonly Values[] | undefined {
  const own = rows.filter(({ rowKey }) => rowKey.startsWith('empid_')).map(read)
  return own.some((each) => each === undefined) ? undefined : (own as readonly Values[])
}

/** Returns the values of a row as it is stored. */
function storedIn(row: DynamicEntity): Pick<Values, 'lastName' | 'email' | 'age'> {
  const [lastName, email, age] = ['lastName', 'mail', 'age'].map((name) => row.get(name)?.value)
  return { lastName, email, age } as Pick<Values, 'lastName' | 'email' | 'age'>
}

function hasMessages(rows: readonly DynamicEntity[]): boolean {
  return rows.some(({ rowKey }) => /^indexbox_.*[^.]$/.test(rowKey))
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
