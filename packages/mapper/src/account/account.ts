import type { DynamicEntity } from '@rowkey/odata'
import {
  accountSas,
  type CallOptions,
  type CloseOptions,
  callOptions,
  createTable,
  deleteTable,
  getServiceStats,
  perform,
  type ServiceStatistics,
  type SharedAccessSignature,
  type TableService,
} from '@rowkey/rest'
import type { DynamicRow } from '../codec/dynamic-codec.ts'
import type { EntityClass } from '../model/entity-class.ts'
import type { EntityModel, KeyMembers } from '../model/entity-model.ts'
import type { TableGiven, UnionMember } from '../model/entity-of.ts'
import { toModel } from '../model/to-model.ts'
import {
  type AccountOptions,
  accountOptions,
  type ScanOptions,
  scanOptions,
  type TableOptions,
  tableOptions,
} from '../options/table-options.ts'
import { dynamicParts, modelParts } from '../rows/table-parts.ts'
import {
  type CreateOptions,
  createOptions,
  listOptions,
  type TableListOptions,
} from '../table/admin/admin-options.ts'
import { createWaiting } from '../table/admin/create-waiting.ts'
import { TableNames } from '../table/admin/list-tables.ts'
import { type AccountSasTerms, accountSasTerms, sasTermsOf } from '../table/admin/sas-terms-of.ts'
import { Table } from '../table/table.ts'
import type { EntityUnion, UnionTypes } from '../union/entity-union.ts'
import type { UnionTable } from '../union/union-table.ts'
import { AccountProperties } from './account-properties.ts'

declare global {
  // As in @types/node: programs without it, and without `lib: esnext`, check the declarations of this package too.
  interface SymbolConstructor {
    /** The method that `await using` calls. */
    readonly asyncDispose: unique symbol
  }
}

/**
 * One account and its tables.
 *
 * @example
 * ```ts
 * const account = new Account(tableService({ connectionString: process.env.TABLES! }))
 * const customers = account.table(Customer)
 * const people = account.table('people')
 * ```
 */
export class Account {
  /** The service that sends its calls: the endpoint, the credential, and the clock. */
  readonly service: TableService
  readonly #options: AccountOptions

  /**
   * @param service - the service of the account, from `tableService`
   * @param options - defaults of all tables: scans, encryption, sealed continuation tokens
   * @throws InputError with the code `InvalidQuery` for an invalid `ScanPolicy`
   */
  constructor(service: TableService, options: AccountOptions = {}) {
    this.service = service
    this.#options = accountOptions(options)
  }

  /**
   * Opens the table of a mapped class. Nothing is sent.
   *
   * @param entityClass - the decorated class
   * @param options - the table's name, by default that of `@Entity`; or an object with the name and the
   * scan policy of its queries
   * @throws {@link ModelError} when the class cannot be mapped, or neither the class nor the options have
   * a name
   * @throws InputError (`InvalidTableName`) for an invalid name
   */
  table<Entity extends object>(
    entityClass: EntityClass<Entity>,
    options?: string | TableOptions,
  ): Table<Entity>
  /**
   * Opens the table of a model from {@link defineEntity}. Nothing is sent.
   *
   * @param model - the model
   * @param options - the table's name, by default that of the model; or an object with the name and the
   * scan policy of its queries
   * @throws {@link ModelError} when neither the model nor the options have a name
   * @throws InputError (`InvalidTableName`) for an invalid name
   */
  table<Entity extends object, Input extends object, Key extends object>(
    model: EntityModel<Entity, Input, Key>,
    options?: string | TableOptions,
  ): Table<Entity, Input, Key>
  /**
   * Opens a table with entities of several types. Nothing is sent.
   *
   * @param name - the table's name: 3 to 63 letters and digits, a letter first
   * @param types - the types, from {@link union}
   * @param options - how much its queries may read without asking for leave
   * @throws InputError (`InvalidTableName`) for an invalid name
   *
   * @example
   * ```ts
   * account.table('store', union(Customer, Order))
   * ```
   */
  table<Member extends UnionMember, Other extends DynamicEntity>(
    name: string,
    types: EntityUnion<Member, Other>,
    options?: ScanOptions,
  ): UnionTable<Member, Other>
  /**
   * Opens a table without a declared class. Nothing is sent.
   *
   * @param name - the table's name: 3 to 63 letters and digits, a letter first
   * @param options - how much its queries may read without asking for leave
   * @throws InputError (`InvalidTableName`) for an invalid name
   *
   * @example
   * ```ts
   * const logs = account.table('logs', { scans: 'none' }) // points and ranges of RowKeys alone
   * ```
   */
  table(
    name: string,
    options?: ScanOptions,
  ): Table<DynamicEntity, DynamicEntity | DynamicRow, KeyMembers<DynamicEntity>>
  /**
   * Explains at compile time what a table is opened with.
   *
   * @hidden
   */
  table<Given>(
    given: TableGiven<Given>,
    options?: Given extends string ? ScanOptions : string | TableOptions,
  ): Table<DynamicEntity, DynamicEntity | DynamicRow, KeyMembers<DynamicEntity>>
  table(
    given: string | UnionMember,
    options: string | TableOptions | UnionTypes = {},
    unionOptions: ScanOptions = {},
  ): unknown {
    const { service } = this
    const account = { ...this.#options, opener: this }
    if (typeof given !== 'string') {
      // What else it may be is refused there.
      const named = tableOptions(options as string | TableOptions)
      return new Table<object>(modelParts(service, toModel(given), { ...account, ...named }))
    }
    if (isUnion(options)) {
      return options.open(service, { ...account, ...scanOptions(unionOptions), name: given })
    }
    // What else it may be is refused there.
    const scans = scanOptions(options as ScanOptions)
    return new Table<DynamicEntity>(dynamicParts(service, given, { ...account, ...scans }))
  }

  /**
   * Lists the names of the account's tables in order, with one request for each page of 1,000.
   *
   * Requests: `pages`.
   *
   * @param options - which tables, and how many in one page
   * @throws InputError (`UnknownOption`)
   *
   * @example
   * ```ts
   * for await (const name of account.tables({ prefix: 'logs2026' })) console.log(name)
   * const list = account.tables({ filter: filter`TableName ge ${'m'}`, pageSize: 100 })
   * const { value: page } = await list.byPage().next() // { names, continuationToken }
   * ```
   */
  tables(options: TableListOptions = {}): TableNames {
    listOptions.check(options, 'tables of an account')
    return new TableNames(this.service, options)
  }

  /**
   * Creates a table.
   *
   * Requests: `1`, and more while `waitForDeletion` waits.
   *
   * @param options - also `waitForDeletion`, for the name of a table that was just deleted
   * @throws TableAlreadyExistsError when the table exists; see {@link Table.createIfNotExists}
   */
  async createTable(name: string, options: CreateOptions = {}): Promise<void> {
    const where = 'createTable of an account'
    createOptions.check(options, where)
    await createWaiting(this.service, createTable, name, where, options)
  }

  /**
   * Deletes a table and everything in it. Its name stays reserved for a while.
   *
   * Requests: `1`.
   *
   * @throws TableNotFoundError when the table does not exist; see {@link Table.dropIfExists}
   */
  async deleteTable(name: string, options: CallOptions = {}): Promise<void> {
    callOptions.check(options, 'deleteTable of an account')
    await perform(this.service, deleteTable, { table: name }, options)
  }

  /** The service properties: logging, metrics and CORS rules. Nothing is sent. */
  get properties(): AccountProperties {
    return new AccountProperties(this.service)
  }

  /**
   * Reads the replication status of the account's copy in a second region. It has all writes before
   * `lastSyncTime`.
   *
   * Requests: `1`.
   *
   * @throws InputError (`UnsupportedOperation`) when no secondary endpoint is known
   *
   * @example
   * ```ts
   * const { status, lastSyncTime } = await account.statistics()
   * ```
   */
  async statistics(options: CallOptions = {}): Promise<ServiceStatistics> {
    callOptions.check(options, 'statistics of an account')
    return perform(this.service, getServiceStats, {}, options)
  }

  /**
   * Makes a shared access signature for all tables of the account. Nothing is sent.
   *
   * @param terms - the permissions and times. The token allows only https, unless the account itself uses
   * plain http
   * @throws InputError (`AccountKeyRequired`) when the account was opened without its key
   * @throws InputError (`InvalidSas`) for terms that every service rejects
   */
  sas(terms: AccountSasTerms): SharedAccessSignature {
    accountSasTerms.check(terms, 'sas of an account')
    return accountSas({ ...terms, ...sasTermsOf(this.service, terms) })
  }

  /**
   * Closes the connections. Pending calls end at once; later calls reject.
   *
   * @param options - `{ drain: true }` completes pending calls first, with their retries and the following
   * requests of queries and bulk writes. A loop over a query is pending until it ends; a later `close()` ends
   * this wait
   *
   * @example
   * ```ts
   * await account.close({ drain: true })
   * ```
   */
  async close(options?: CloseOptions): Promise<void> {
    await this.service.close(options)
  }

  /**
   * Closes the account at the end of a block: `await using account = connect('memory:')`.
   *
   * @example
   * ```ts
   * await using account = connect('memory:')
   * ```
   */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

function isUnion(given: string | TableOptions | UnionTypes): given is UnionTypes {
  return typeof given === 'object' && given !== null && 'types' in given
}
