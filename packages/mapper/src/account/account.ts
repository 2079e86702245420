import type { DynamicEntity } from '@rowkey/odata'
import {
  accountSas,
  type CallOptions,
  checkOptions,
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
import type { UnionMember } from '../model/entity-of.ts'
import {
  CREATE_OPTION_NAMES,
  type CreateOptions,
  LIST_OPTION_NAMES,
  type TableListOptions,
} from '../table/admin/admin-options.ts'
import { createWaiting } from '../table/admin/create-waiting.ts'
import { listTables, nameStartsWith } from '../table/admin/list-tables.ts'
import {
  ACCOUNT_SAS_TERM_NAMES,
  type AccountSasTerms,
  sasTermsOf,
} from '../table/admin/sas-terms-of.ts'
import { CALL_OPTION_NAMES } from '../table/call-options.ts'
import type { Table } from '../table/table.ts'
import {
  type AccountOptions,
  accountOptions,
  type ScanOptions,
  type TableOptions,
} from '../table/table-options.ts'
import type { EntityUnion, UnionTypes } from '../union/entity-union.ts'
import type { UnionTable } from '../union/union-table.ts'
import { AccountProperties } from './account-properties.ts'
import { openTable } from './open-table.ts'

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
  readonly #service: TableService
  readonly #options: AccountOptions

  /**
   * @param service - where to send and as whom, from `tableService`
   * @param options - how much queries may read, and whether everything must be encrypted
   * @throws InputError with the code `InvalidQuery` for an invalid `ScanPolicy`
   */
  constructor(service: TableService, options: AccountOptions = {}) {
    this.#service = service
    this.#options = accountOptions(options)
  }

  /**
   * The table of a mapped class. Nothing is sent.
   *
   * @param entityClass - a decorated class
   * @param options - the table's name, when it is not the one that `@Entity` gives; or that and how much
   * its queries may read without asking for leave
   * @throws {@link ModelError} when the class cannot be mapped, or has no name and none is given
   * @throws InputError (`InvalidTableName`) when the service takes no such name
   */
  table<Entity extends object>(
    entityClass: EntityClass<Entity>,
    options?: string | TableOptions,
  ): Table<Entity>
  /**
   * The table of a model, from {@link defineEntity}. Nothing is sent.
   *
   * @param model - the model
   * @param options - the table's name, when it is not the one that the model gives; or that and how much
   * its queries may read without asking for leave
   * @throws {@link ModelError} when the model has no name and none is given
   * @throws InputError (`InvalidTableName`) when the service takes no such name
   */
  table<Entity extends object, Input extends object, Key extends object>(
    model: EntityModel<Entity, Input, Key>,
    options?: string | TableOptions,
  ): Table<Entity, Input, Key>
  /**
   * A table that holds entities of several types. Nothing is sent.
   *
   * @param name - the table's name: 3 to 63 letters and digits, a letter first
   * @param types - the types, from {@link union}
   * @param options - how much its queries may read without asking for leave
   * @throws InputError (`InvalidTableName`) when the service takes no such name
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
   * A table of entities that nobody declared. Nothing is sent.
   *
   * @param name - the table's name: 3 to 63 letters and digits, a letter first
   * @param options - how much its queries may read without asking for leave
   * @throws InputError (`InvalidTableName`) when the service takes no such name
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
  table(
    given: string | UnionMember,
    options: string | TableOptions | UnionTypes = {},
    unionOptions: ScanOptions = {},
  ): unknown {
    return openTable({
      service: this.#service,
      account: this.#options,
      given,
      options,
      unionOptions,
    })
  }

  /**
   * The names of the account's tables, in order, by one request for each page of 1,000.
   *
   * @example
   * ```ts
   * for await (const name of account.tables({ prefix: 'logs2026' })) console.log(name)
   * ```
   */
  tables(options: TableListOptions = {}): AsyncIterable<string> {
    checkOptions(options, LIST_OPTION_NAMES, 'tables of an account')
    const { prefix, ...call } = options
    return listTables(this.#service, prefix ? nameStartsWith(prefix) : undefined, call)
  }

  /**
   * Creates a table.
   *
   * @param options - also `waitForDeletion`, for the name of a table that was just deleted
   * @throws TableAlreadyExistsError when it is there already; see {@link Table.createIfNotExists}
   */
  async createTable(name: string, options: CreateOptions = {}): Promise<void> {
    checkOptions(options, CREATE_OPTION_NAMES, 'createTable of an account')
    await createWaiting(this.#service, createTable, name, options)
  }

  /**
   * Deletes a table and everything in it. Its name stays taken for a while afterwards.
   *
   * @throws TableNotFoundError when there is no such table; see {@link Table.dropIfExists}
   */
  async deleteTable(name: string, options: CallOptions = {}): Promise<void> {
    checkOptions(options, CALL_OPTION_NAMES, 'deleteTable of an account')
    await perform(this.#service, deleteTable, { table: name }, options)
  }

  /** What the table service logs, measures, and lets browsers do. Nothing is sent. */
  get properties(): AccountProperties {
    return new AccountProperties(this.#service)
  }

  /**
   * How far the account's copy in a second region is: writes before `lastSyncTime` can be read there.
   *
   * @throws InputError (`UnsupportedOperation`) when no secondary endpoint is known
   *
   * @example
   * ```ts
   * const { status, lastSyncTime } = await account.statistics()
   * ```
   */
  async statistics(options: CallOptions = {}): Promise<ServiceStatistics> {
    checkOptions(options, CALL_OPTION_NAMES, 'statistics of an account')
    return perform(this.#service, getServiceStats, {}, options)
  }

  /**
   * Makes a shared access signature for all tables of the account. Nothing is sent.
   *
   * @param terms - what it allows, and until when. Over https only, unless the account itself is
   * reached by plain http
   * @throws InputError (`AccountKeyRequired`) when the account was opened without its key
   * @throws InputError (`InvalidSas`) for what no service would ever accept
   */
  sas(terms: AccountSasTerms): SharedAccessSignature {
    checkOptions(terms, ACCOUNT_SAS_TERM_NAMES, 'sas of an account')
    return accountSas({ ...terms, ...sasTermsOf(this.#service, terms) })
  }

  /** Lets go of the connections; calls afterwards reject. */
  async close(): Promise<void> {
    await this.#service.close()
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
