import {
  type CallOptions,
  checkOptions,
  createTable,
  createTableIfNotExists,
  deleteTable,
  deleteTableIfExists,
  perform,
  type SharedAccessSignature,
  type SweepOptions,
  sweepMarkers,
  type TableService,
  tableSas,
} from '@rowkey/rest'
import { CALL_OPTION_NAMES } from '../call-options.ts'
import { AccessPolicies } from './access-policies.ts'
import { CREATE_OPTION_NAMES, type CreateOptions } from './admin-options.ts'
import { createWaiting } from './create-waiting.ts'
import { nameIs, TableNames } from './list-tables.ts'
import { sasTermsOf, TABLE_SAS_TERM_NAMES, type TableSasTerms } from './sas-terms-of.ts'

/** Creates, drops and finds one table of an account; {@link Table} documents its methods. */
export class TableAdmin {
  readonly #service: TableService
  readonly #table: string

  /**
   * @param service - the account of the table
   * @param table - the table's name, checked
   */
  constructor(service: TableService, table: string) {
    this.#service = service
    this.#table = table
  }

  /** Returns the stored access policies of the table. */
  get accessPolicies(): AccessPolicies {
    return new AccessPolicies(this.#service, this.#table)
  }

  /** Creates the table. */
  async create(options: CreateOptions): Promise<void> {
    this.#check(options, CREATE_OPTION_NAMES, 'create')
    await createWaiting(this.#service, createTable, this.#table, options)
  }

  /** Creates the table unless it exists. */
  async createIfNotExists(options: CreateOptions): Promise<boolean> {
    this.#check(options, CREATE_OPTION_NAMES, 'createIfNotExists')
    return createWaiting(this.#service, createTableIfNotExists, this.#table, options)
  }

  /** Deletes the table. */
  async drop(options: CallOptions): Promise<void> {
    this.#check(options, CALL_OPTION_NAMES, 'drop')
    await perform(this.#service, deleteTable, { table: this.#table }, options)
  }

  /** Deletes the table if it exists. */
  async dropIfExists(options: CallOptions): Promise<boolean> {
    this.#check(options, CALL_OPTION_NAMES, 'dropIfExists')
    return perform(this.#service, deleteTableIfExists, { table: this.#table }, options)
  }

  /** Tells whether the account lists the table. */
  async exists(options: CallOptions): Promise<boolean> {
    this.#check(options, CALL_OPTION_NAMES, 'exists')
    const within = this.#service.withDeadline(options)
    if (await this.#isListed(within)) return true
    const mode = options.locationMode ?? this.#service.locationMode
    if (mode === 'primaryOnly' || mode === 'secondaryOnly') return false
    return this.#isListed({ ...within, locationMode: 'primaryOnly' })
  }

  /** Deletes the old markers of exact writes. */
  async sweepMarkers(options: SweepOptions): Promise<number> {
    const within = this.#service.withDeadline(options)
    return sweepMarkers((...call) => perform(this.#service, ...call), this.#table, within)
  }

  /** Makes a shared access signature for the table. */
  sas(terms: TableSasTerms): SharedAccessSignature {
    this.#check(terms, TABLE_SAS_TERM_NAMES, 'sas')
    const { flavour } = this.#service.endpoint
    return tableSas({ ...terms, ...sasTermsOf(this.#service, terms), table: this.#table, flavour })
  }

  async #isListed(options: CallOptions): Promise<boolean> {
    const named = new TableNames(this.#service, { filter: nameIs(this.#table) }, options)
    for await (const _ of named) return true
    return false
  }

  #check(options: object, names: readonly string[], method: string): void {
    checkOptions(options, names, `${method} of table ${this.#table}`)
  }
}
