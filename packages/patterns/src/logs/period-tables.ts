import {
  type Account,
  BulkError,
  type EntityModel,
  PartitionTurns,
  type Table,
  type TableQuery,
} from '@rowkey/mapper'
import { aFunction, oneOf, required, rule, showingText } from '@rowkey/odata'
import {
  AmbiguousWriteError,
  afterWrite,
  type CallOptions,
  callOptions,
  inDoubt,
  ServiceError,
  TableNotFoundError,
} from '@rowkey/rest'
import { checkArgument } from '../errors/check-argument.ts'
import { invalidPatternOption } from '../errors/codes.ts'
import { aModel, anAccount, anEntity, aQuery, aTime } from '../errors/rules.ts'
import {
  declarePattern,
  type ManyWritesOptions,
  manyWritesOptions,
} from '../options/pattern-options.ts'
import { loopSeries } from '../rows/scan-rows.ts'

/** The options of {@link periodTables}. */
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
export interface PeriodTable {
  /** The name of the table. */
  readonly name: string
  /** When the period begins, in UTC. */
  readonly start: Date
}

/** A span of time: from one instant, up to and not including another. */
export interface TimeSpan {
  /** The first instant. */
  readonly from: Date
  /** The end, which does not belong to the span. */
  readonly until: Date
}

const PREFIX = /^[A-Za-z](?:[A-Za-z0-9]{0,51}[A-Za-z])?$/
const aPrefix = rule(
  'a text of 1 to 53 letters and digits that begins with a letter and does not end with a digit',
  (value) => typeof value === 'string' && PREFIX.test(value),
)

const periodOptions = declarePattern<PeriodTablesOptions<never>>({
  prefix: required(showingText(aPrefix)),
  period: required(oneOf('hour', 'day', 'month', 'year')),
  at: required(aFunction),
})

/** A table for each period of time, from {@link periodTables}. */
export interface PeriodTables<Entity extends object, Input extends Entity, Key extends object> {
  /**
   * Opens the tables of one account. Nothing is sent.
   *
   * @param account - the account of the tables
   */
  on(account: Account): PeriodTableSet<Entity, Input, Key>
}

/**
 * Divides the entities of a model into one table for each period of time, such as `Logins20261120`. To delete the rows of a period, it
 * drops their table: one request instead of one for each 100 rows. Tables are created when their first row is written.
 *
 * @param model - the model of their rows
 * @param options - the names of the tables and the time of an entity
 *
 * @example
 * ```ts
 * const logins = periodTables(Login, { prefix: 'Logins', period: 'day', at: ({ at }) => at }).on(account)
 * await logins.insert({ user: 'jones', at: new Date() })
 * await logins.dropBefore(new Date(Date.now() - 30 * 86_400_000))
 * ```
 */
export function periodTables<Entity extends object, Input extends Entity, Key extends object>(
  model: EntityModel<Entity, Input, Key>,
  options: PeriodTablesOptions<Entity>,
): PeriodTables<Entity, Input, Key> {
  checkArgument(aModel, model, 'periodTables')
  periodOptions.check(options, 'periodTables')
  return {
    on(account) {
      checkArgument(anAccount, account, 'on of periodTables')
      return new PeriodTableSet(account, model, options)
    },
  }
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
    return service.runAsOne(options, async (call) => {
      // Cosmos DB rejects a batch in a missing table as it does one of a missing row, so its table is created before.
      const isTold = service.endpoint.flavour !== 'cosmos'
      if (!isTold && !this.#found.has(table.name)) await this.#create(table, undefined, call)
      const found = this.#found.get(table.name)
      try {
        return await work(table, call)
      } catch (error) {
        const isSure = isOfMissingTable(error)
        if (!isSure && (isTold || causeOf(error)?.status !== 404)) throw error
        const isCreated = await this.#create(table, found, call)
        if (!isSure && !isCreated) throw error
        const again = work(table, call)
        // A request without a response may have arrived when the table was there again.
        return Object(error).mayHaveApplied === true ? afterWrite(again) : again
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
    options: CallOptions,
  ): Promise<boolean> {
    const { service } = this.#account
    return this.#turns.run({ service, partition: '', options }, async () => {
      const known = this.#found.get(table.name)
      if (known !== undefined && known !== found) return true
      const isCreated = await table.createIfNotExists(options)
      if (isCreated || known === undefined) this.#found.set(table.name, {})
      return isCreated
    })
  }

  /**
   * Queries the existing tables of a span of time, one after another from old to new.
   *
   * @param span - the time; the tables at its ends also have rows outside of it, so add a condition on time where
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
    const { from, until }: Partial<TimeSpan> = Object(span)
    checkArgument(aTime, from, 'from of query of periodTables')
    checkArgument(aTime, until, 'until of query of periodTables')
    checkArgument(aFunction, refine, 'The second argument of query of periodTables')
    callOptions.check(options, 'query of periodTables')
    yield* loopSeries(this.#account.service, options, (call) => this.#query(span, refine, call))
  }

  async *#query(
    { from, until }: TimeSpan,
    refine: (query: TableQuery<Entity>) => TableQuery<Entity>,
    options: CallOptions,
  ): AsyncGenerator<Entity, void, undefined> {
    for await (const { start, name } of this.periods(options)) {
      const isIn = start < until && endOfPeriod(this.#options.period, start) > from
      if (!isIn) continue
      const query = refine(this.#account.table(this.#model, name).query())
      checkArgument(aQuery, query, 'The second argument of query of periodTables')
      yield* unlessDropped(query.rows(options))
    }
  }

  /** Lists the existing tables from old to new, and when their periods begin. */
  async *periods(options: CallOptions = {}): AsyncGenerator<PeriodTable, void, undefined> {
    callOptions.check(options, 'a list of periodTables')
    const { prefix, period } = this.#options
    const found: PeriodTable[] = []
    for await (const name of this.#account.tables({ ...options, prefix })) {
      const start = parsePeriod(period, name.slice(prefix.length))
      if (start !== undefined) found.push({ name, start })
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
    return service.runAsOne(options, async (call) => {
      const dropped: string[] = []
      try {
        for await (const { name, start } of this.periods(call)) {
          if (endOfPeriod(this.#options.period, start) > time) continue
          this.#found.delete(name)
          // Another program may drop the same tables.
          if (await this.#account.table(this.#model, name).dropIfExists(call)) dropped.push(name)
        }
      } catch (error) {
        throw dropped.length > 0 ? inDoubt(error) : error
      }
      return dropped
    })
  }
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
    // The name of a dropped table stays reserved for a while, with an error of its own.
    const isDropped =
      error instanceof TableNotFoundError ||
      (error instanceof ServiceError && error.code === 'TableBeingDeleted')
    if (!isDropped) throw error
  }
}

/** The years that a DateTime stores. Names of other years would not be found again. */
const FIRST_YEAR = 1601
const LAST_YEAR = 9999

function invalidYear(year: number): Error {
  return invalidPatternOption(
    `The time of a table of periodTables must be in the years ${FIRST_YEAR} to ${LAST_YEAR}; got the year ${year}. Correct the time of the row.`,
  )
}

/** How long the rows of one table span, in UTC. */
export type Period = 'hour' | 'day' | 'month' | 'year'

/** The number of digits of a period in the name of a table: `2026112015` of an hour. */
const DIGITS: Readonly<Record<Period, number>> = { hour: 10, day: 8, month: 6, year: 4 }

/** Prints the period that a time is in, in UTC: `20261120` for a day. Later periods sort after earlier ones. */
function printPeriod(period: Period, at: Date): string {
  return at.toISOString().replace(/[-T:]/g, '').slice(0, DIGITS[period])
}

/** Returns when a printed period begins; `undefined` for any other text. */
function parsePeriod(period: Period, text: string): Date | undefined {
  const match = /^(\d{4})(\d\d)?(\d\d)?(\d\d)?$/.exec(text)
  if (match === null || text.length !== DIGITS[period]) return undefined
  const [year = 0, month = 1, day = 1, hour = 0] = match
    .slice(1)
    .map((each) => (each === undefined ? undefined : Number(each)))
  const start = new Date(Date.UTC(year, month - 1, day, hour))
  return printPeriod(period, start) === text ? start : undefined
}

/** Returns when the next period begins. */
function endOfPeriod(period: Period, start: Date): Date {
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()]
  if (period === 'year') return new Date(Date.UTC(year + 1, 0))
  if (period === 'month') return new Date(Date.UTC(year, month + 1))
  return new Date(start.getTime() + (period === 'day' ? 86_400_000 : 3_600_000))
}
