import {
  type CallOptions,
  checkOptions,
  createTable,
  deleteTable,
  perform,
  type SharedAccessSignature,
  type TableService,
  tableSas,
} from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../option-names.ts'
import { AccessPolicies } from './access-policies.ts'
import { CREATE_OPTION_NAMES, type CreateOptions } from './create-options.ts'
import { createTableIfNotExists } from './create-table-if-not-exists.ts'
import { createWaiting } from './create-waiting.ts'
import { deleteTableIfExists } from './delete-table-if-exists.ts'
import { listTables, nameIs } from './list-tables.ts'
import { sasTermsOf, TABLE_SAS_TERM_NAMES, type TableSasTerms } from './sas-terms-of.ts'

/** A table as its account has it, whatever is in it: created, dropped and looked for. */
export class TableResource {
  /** The table's name. */
  readonly name: string
  /** The account the table is in. */
  protected readonly service: TableService

  /**
   * @param service - the account the table is in
   * @param name - the table's name, checked
   */
  constructor(service: TableService, name: string) {
    this.service = service
    this.name = name
  }

  /** What SAS that name a policy of the table may do. Nothing is sent. */
  get accessPolicies(): AccessPolicies {
    return new AccessPolicies(this.service, this.name)
  }

  /**
   * Creates the table.
   *
   * @param options - also `waitForDeletion`, for the name of a table that was just dropped
   * @throws TableAlreadyExistsError when it is there already
   * @throws ServiceError with the code `TableBeingDeleted` while one of its name is still deleted
   *
   * @example
   * ```ts
   * await customers.drop()
   * await customers.create({ waitForDeletion: true })
   * ```
   */
  async create(options: CreateOptions = {}): Promise<void> {
    checkOptions(options, CREATE_OPTION_NAMES, `create of table ${this.name}`)
    await createWaiting(this.service, createTable, this.name, options)
  }

  /**
   * Creates the table unless it is there already.
   *
   * @param options - also `waitForDeletion`, for the name of a table that was just dropped
   * @returns true when it was created, false when it was there
   * @throws ServiceError with the code `TableBeingDeleted` while one of its name is still deleted
   */
  async createIfNotExists(options: CreateOptions = {}): Promise<boolean> {
    checkOptions(options, CREATE_OPTION_NAMES, `createIfNotExists of table ${this.name}`)
    return createWaiting(this.service, createTableIfNotExists, this.name, options)
  }

  /**
   * Deletes the table and everything in it. Its name stays taken for a while afterwards.
   *
   * @throws TableNotFoundError when there is no such table
   */
  async drop(options: CallOptions = {}): Promise<void> {
    this.checkOptions(options, 'drop')
    await perform(this.service, deleteTable, { table: this.name }, options)
  }

  /**
   * Deletes the table and everything in it, if it is there.
   *
   * @returns true when it was deleted, false when there was no such table
   */
  async dropIfExists(options: CallOptions = {}): Promise<boolean> {
    this.checkOptions(options, 'dropIfExists')
    return perform(this.service, deleteTableIfExists, { table: this.name }, options)
  }

  /**
   * Whether the account lists a table of exactly this name, case included. Where reads may go to both
   * locations, the primary is asked before the table counts as missing: the copy lags behind.
   */
  async exists(options: CallOptions = {}): Promise<boolean> {
    this.checkOptions(options, 'exists')
    const within = this.service.withDeadline(options)
    if (await this.#isListed(within)) return true
    const mode = options.locationMode ?? this.service.locationMode
    if (mode === 'primaryOnly' || mode === 'secondaryOnly') return false
    return this.#isListed({ ...within, locationMode: 'primaryOnly' })
  }

  /**
   * Makes a shared access signature for this table, or for a range of its keys. Nothing is sent.
   *
   * @param terms - what it allows, and until when. Over https only, unless the account itself is
   * reached by plain http
   * @throws InputError (`AccountKeyRequired`) when the account was opened without its key
   * @throws InputError (`InvalidSas`) for what no service would ever accept
   *
   * @example
   * ```ts
   * const expiry = new Date(Date.now() + 3_600_000)
   * const { token } = customers.sas({ permissions: 'r', expiry, from: { partitionKey: 'Smith' } })
   * ```
   */
  sas(terms: TableSasTerms): SharedAccessSignature {
    checkOptions(terms, TABLE_SAS_TERM_NAMES, `sas of table ${this.name}`)
    return tableSas({ ...terms, ...sasTermsOf(this.service, terms), table: this.name })
  }

  async #isListed(options: CallOptions): Promise<boolean> {
    for await (const _ of listTables(this.service, nameIs(this.name), options)) return true
    return false
  }

  /** Refuses options that a call does not have. */
  protected checkOptions(options: CallOptions, method: string): void {
    checkOptions(options, CALL_OPTION_NAMES, `${method} of table ${this.name}`)
  }
}
