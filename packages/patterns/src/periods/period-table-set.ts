import {
  type Account,
  BulkError,
  type EntityModel,
  PartitionTurns,
  type Table,
  type TableQuery,
} from '@rowkey/mapper'
import { aFunction, required, trueOrFalse } from '@rowkey/odata'
import type { FullPage, PageOptions } from '@rowkey/query'
import {
  AmbiguousWriteError,
  afterWrite,
  type Call,
  type CallOptions,
  callOptions,
  inDoubt,
  mayHaveApplied,
  ServiceError,
  TableNotFoundError,
} from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aCount, anEntity, aQuery, aTime, aToken } from '../errors/rules.ts'
import {
  atPrimary,
  declarePattern,
  type ManyWritesOptions,
  manyWritesOptions,
} from '../options/pattern-options.ts'
import { loopInCall } from '../rows/scan-rows.ts'
import {
  endOfPeriod,
  FIRST_YEAR,
  invalidYear,
  LAST_YEAR,
  type Period,
  parsePeriod,
  printPeriod,
} from './period.ts'

/** The options of `periodTables`. */
export interface PeriodTablesOptions<Entity extends object> {
  /**
   * The beginning of the names of all tables: 1 to 53 letters and digits, a letter first, and no
   * digit last.
   */
  readonly prefix: string
  /** How long the rows of one table span, in UTC. */
  readonly period: Period
  /** Returns the time of an entity, which decides its table. It must never change. */
  readonly at: (entity: Entity) => Date
}

/** A table of one period. */
export interface PeriodTable<Entity extends object, Input extends Entity, Key extends object> {
  /** The name of the table. */
  readonly name: string
  /** When the period begins, in UTC. */
  readonly start: Date
  /** The table: `table.query()` reads its rows. */
  readonly table: Table<Entity, Input, Key>
}

/** A span of time: from one instant, up to and not including another. */
export interface TimeSpan {
  /** The first instant. */
  readonly from: Date
  /** The end, which does not belong to the span. */
  readonly until: Date
  /**
   * Whether the newest table is read first. The rows of each table come in the order of their keys: with an inverted time, the newest
   * first, too.
   *
   * @defaultValue `false`
   */
  readonly newestFirst?: boolean | undefined
}

/** The tables of one account, from {@link PeriodTables.on}. */
export class PeriodTableSet<Entity extends object, Input extends Entity, Key extends object> {
  readonly #account: Account
  readonly #model: EntityModel<Entity, Input, Key>
  readonly #options: PeriodTablesOptions<Entity>
  /** The tables that this process has created or found, each with a mark that changes when it is created again. */
  readonly #found = new Map<string, object>()
  /** Creations of tables, one after another. */
  readonly #turns = new PartitionTurns()

  /** @internal */
  constructor(
    account: Account,
    model: EntityModel<Entity, Input, Key>,
    options: PeriodTablesOptions<Entity>,
  ) {
    this.#account = account
    this.#model = model
    this.#options = options
  }

  /**
   * Returns the table of the period that a time is in. Nothing is sent.
   *
   * @throws InputError (`InvalidPatternOption`) for a time outside of the years 1601 to 9999
   */
  tableAt(time: Date): Table<Entity, Input, Key> {
    checkArgument(aTime, time, 'The time of a table of periodTables')
    const year = time.getUTCFullYear()
    if (year < FIRST_YEAR || year > LAST_YEAR) throw invalidYear(year)
    const { prefix, period } = this.#options
    return this.#account.table(this.#model, `${prefix}${printPeriod(period, time)}`)
  }

  /** Stores a new entity in the table of its time, and creates the table if it does not exist. */
  async insert(entity: Input, options: CallOptions = {}): Promise<Entity> {
    checkArgument(anEntity, entity, 'insert of periodTables')
    const insert = (table: Table<Entity, Input, Key>, call: CallOptions) =>
      table.insert(entity, call)
    return this.write(this.#options.at(entity), insert, options)
  }

  /**
   * Runs any write on the table of a time, and creates the table if it does not exist.
   *
   * @param time - a time in the period of the table
   * @param work - writes to the table. It runs again after the table was created. Pass its `options` to the write: then
   * closing the account with `drain` waits for it
   *
   * @example
   * ```ts
   * await logins.write(login.at, (table, options) => table.insertOrReplace(login, options))
   * ```
   */
  async write<Result>(
    time: Date,
    work: (table: Table<Entity, Input, Key>, options: CallOptions) => PromiseLike<Result>,
    options: CallOptions = {},
  ): Promise<Result> {
    callOptions.check(options, 'write of periodTables')
    checkArgument(aFunction, work, 'The second argument of write of periodTables')
    const table = this.tableAt(time)
    const { service } = this.#account
    return service.call(options, 'write of periodTables', async (call) => {
      // Cosmos DB rejects a batch in a missing table as it does one of a missing row, so its table is created before.
      const isTold = service.endpoint.flavour !== 'cosmos'
      if (!isTold && !this.#found.has(table.name)) await this.#create(table, undefined, call)
      const found = this.#found.get(table.name)
      try {
        return await work(table, call.options)
      } catch (error) {
        const isSure = isOfMissingTable(error)
        if (!isSure && (isTold || causeOf(error)?.status !== 404)) throw error
        const isCreated = await this.#create(table, found, call)
        if (!isSure && !isCreated) throw error
        const again = work(table, call.options)
        // A request without a response may have arrived when the table was there again.
        return mayHaveApplied(error) ? afterWrite(again) : again
      }
    })
  }

  /**
   * Creates a table, unless another write has done so meanwhile. Creations take turns: a write that finds the table knows why.
   *
   * @param found - the mark of the table before the write that did not find it
   * @returns whether it was created since
   */
  #create(
    table: Table<Entity, Input, Key>,
    found: object | undefined,
    call: Call,
  ): Promise<boolean> {
    return this.#turns.run('', call, async () => {
      const known = this.#found.get(table.name)
      if (known !== undefined && known !== found) return true
      const isCreated = await table.createIfNotExists(call.options)
      if (isCreated || known === undefined) this.#found.set(table.name, {})
      return isCreated
    })
  }

  /**
   * Queries the existing tables of a span of time, one after another.
   *
   * @param span - the time, and whether the newest comes first; the tables at its ends also have rows outside of it, so add a condition on time where
   * that matters
   * @param refine - adds conditions to the query of each table; without it, each table is read whole
   *
   * @example
   * ```ts
   * for await (const login of logins.query({ from, until }, (query) => query.where({ user: 'jones' }))) show(login)
   * ```
   */
  async *query(
    span: TimeSpan,
    refine: (query: TableQuery<Entity>) => TableQuery<Entity> = (query) => query.allowTableScan(),
    options: CallOptions = {},
  ): AsyncGenerator<Entity, void, undefined> {
    const place = 'query of periodTables'
    checkSpan(span, place)
    checkArgument(aFunction, refine, `The second argument of ${place}`)
    callOptions.check(options, place)
    yield* loopInCall(this.#account.service, options, place, (call) =>
      this.#query(span, refine, call),
    )
  }

  async *#query(
    span: TimeSpan,
    refine: (query: TableQuery<Entity>) => TableQuery<Entity>,
    options: CallOptions,
  ): AsyncGenerator<Entity, void, undefined> {
    for (const { table } of await this.#tablesIn(span, options)) {
      yield* unlessDropped(refined(refine, table, 'query').rows(options))
    }
  }

  /**
   * Reads one page of the existing tables of a span of time, one after another. A page begins where the one before ended.
   *
   * @param span - as for {@link PeriodTableSet.query}
   * @param page - how many rows, and the `next` of the page before
   * @param refine - adds conditions to the query of each table; without it, each table is read whole
   * @throws InputError (`InvalidPatternOption`) for a token that is not of these tables
   *
   * @example
   * ```ts
   * const { items, next } = await logins.page({ from, until, newestFirst: true }, { size: 20, token })
   * ```
   */
  async page(
    span: TimeSpan,
    page: PageOptions,
    refine: (query: TableQuery<Entity>) => TableQuery<Entity> = (query) => query.allowTableScan(),
    options: CallOptions = {},
  ): Promise<FullPage<Entity>> {
    const place = 'page of periodTables'
    checkSpan(span, place)
    pageOptions.check(page, place)
    checkArgument(aFunction, refine, `The third argument of ${place}`)
    callOptions.check(options, place)
    const begun = this.#placeOf(page.token)
    return this.#account.service.call(options, place, async ({ options: call }) => {
      const all = await this.#tablesIn(span, call)
      const isPast = (start: Date) =>
        begun !== undefined && (span.newestFirst ? start > begun.start : start < begun.start)
      const items: Entity[] = []
      for (const { name, start, table } of all.filter((each) => !isPast(each.start))) {
        const period = name.slice(this.#options.prefix.length)
        if (items.length === page.size) return { items, next: `${period}.` }
        const token = start.getTime() === begun?.start.getTime() ? begun.token : undefined
        const rest = { ...call, size: page.size - items.length, token }
        const { items: found, next } = await pageUnlessDropped(
          refined(refine, table, 'page').page(rest),
        )
        items.push(...found)
        if (next !== undefined) return { items, next: `${period}.${next}` }
      }
      return { items }
    })
  }

  /** Reads a token: the period of a table, and the token in it. */
  #placeOf(token: string | null | undefined) {
    if (token === undefined || token === null || token === '') return undefined
    const at = token.indexOf('.')
    const start = parsePeriod(this.#options.period, token.slice(0, Math.max(at, 0)))
    if (start === undefined) throw invalidToken(this.#options.prefix)
    return { start, token: token.slice(at + 1) }
  }

  /** Lists the tables of a span, in its order. */
  async #tablesIn({ from, until, newestFirst }: TimeSpan, options: CallOptions) {
    const found: PeriodTable<Entity, Input, Key>[] = []
    for await (const each of this.periods(options)) {
      const isIn = each.start < until && endOfPeriod(this.#options.period, each.start) > from
      if (isIn) found.push(each)
    }
    return newestFirst ? found.reverse() : found
  }

  /** Lists the existing tables from old to new, and when their periods begin. */
  async *periods(
    options: CallOptions = {},
  ): AsyncGenerator<PeriodTable<Entity, Input, Key>, void, undefined> {
    callOptions.check(options, 'a list of periodTables')
    const { prefix, period } = this.#options
    const found: PeriodTable<Entity, Input, Key>[] = []
    for await (const name of this.#account.tables({ ...options, prefix })) {
      const start = parsePeriod(period, name.slice(prefix.length))
      if (start === undefined) continue
      found.push({ name, start, table: this.#account.table(this.#model, name) })
    }
    // Cosmos DB does not sort tables.
    yield* found.sort((one, other) => one.start.getTime() - other.start.getTime())
  }

  /**
   * Drops each table whose period ended before a time or at it. Rows that were written to it meanwhile are lost.
   *
   * @param time - everything in the dropped tables is older
   * @returns the names of the dropped tables
   */
  async dropBefore(time: Date, options: ManyWritesOptions = {}): Promise<readonly string[]> {
    checkArgument(aTime, time, 'The time of dropBefore of periodTables')
    manyWritesOptions.check(options, 'dropBefore of periodTables')
    const { service } = this.#account
    return service.call(options, 'dropBefore of periodTables', async ({ options: call }) => {
      const dropped: string[] = []
      try {
        for await (const { name, start, table } of this.periods(atPrimary(call))) {
          if (endOfPeriod(this.#options.period, start) > time) continue
          this.#found.delete(name)
          // Another program may drop the same tables.
          if (await table.dropIfExists(call)) dropped.push(name)
        }
      } catch (error) {
        throw dropped.length > 0 ? inDoubt(error) : error
      }
      return dropped
    })
  }
}

function refined<Entity extends object, Input extends Entity, Key extends object>(
  refine: (query: TableQuery<Entity>) => TableQuery<Entity>,
  table: Table<Entity, Input, Key>,
  method: 'query' | 'page',
): TableQuery<Entity> {
  const query = refine(table.query())
  checkArgument(aQuery, query, `The function of ${method} of periodTables`)
  return query
}

const spanOptions = declarePattern<TimeSpan>({
  from: required(aTime),
  until: required(aTime),
  newestFirst: trueOrFalse,
})

function checkSpan(span: TimeSpan, place: string): void {
  spanOptions.check(span, `the span of ${place}`)
}

const pageOptions = declarePattern<PageOptions>({ size: required(aCount), token: aToken })

function invalidToken(prefix: string): Error {
  return invalidPatternOption(
    `The token of page of periodTables is not one of the tables ${prefix}…. Pass the next of the page before, as it is.`,
  )
}

/** Tells whether a write, a batch or a bulk write failed because its table does not exist. */
function isOfMissingTable(error: unknown): boolean {
  const cause = causeOf(error)
  return cause instanceof TableNotFoundError || cause?.code === 'TableNotFound'
}

function causeOf(error: unknown): ServiceError | undefined {
  // A retry after a lost response says why the first attempt was not applied, either.
  if (error instanceof BulkError || error instanceof AmbiguousWriteError)
    return causeOf(error.cause)
  return error instanceof ServiceError ? error : undefined
}

/** A table may be dropped between the list and the query: then it has no rows. */
async function* unlessDropped<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row, void, undefined> {
  try {
    yield* rows
  } catch (error) {
    if (!isDropped(error)) throw error
  }
}

async function pageUnlessDropped<Row>(page: Promise<FullPage<Row>>): Promise<FullPage<Row>> {
  try {
    return await page
  } catch (error) {
    if (!isDropped(error)) throw error
    return { items: [] }
  }
}

/** The name of a dropped table stays reserved for a while, with an error of its own. */
function isDropped(error: unknown): boolean {
  return (
    error instanceof TableNotFoundError ||
    (error instanceof ServiceError && error.code === 'TableBeingDeleted')
  )
}
